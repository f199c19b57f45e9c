//! The tools, the prompt and the resource.

use crate::arguments::{
    self, Brief, Health, Nothing, Query, Read, Sync, page, refuse, results, turns,
};
use crate::schema::{parse, schema};
use crate::{Context, GOVERNANCE, brief};
use guard_transcript::reading::{
    self, Conversation, Conversations, HealthRequest, Meaning, QueryRequest, ReadRequest, Route,
    StepRequest,
};
use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    GetPromptResult, Implementation, JsonObject, ListResourcesResult, PaginatedRequestParams,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, Role, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, prompt, prompt_handler, prompt_router, tool,
    tool_handler, tool_router,
};
use std::path::Path;

const RULES: &str = "execution-guard://rules/governance";

const INSTRUCTIONS: &str = "Reads Antigravity conversations in small pages instead of pouring transcripts into the context: \
read_transcript for the last turns, query_transcript to search or to get one step whole, check_context_health for loops and size. \
subagent_brief writes a scope-bound prompt. The governance rules are the prompt context_shield and the resource \
execution-guard://rules/governance.";

/// What a tool gives: a page of Markdown, or what is wrong and what to do.
type Answer = Result<String, String>;

/// The server of one client.
#[derive(Clone)]
pub struct Server {
    context: Context,
    tool_router: ToolRouter<Self>,
    prompt_router: PromptRouter<Self>,
}

impl Server {
    pub fn new(context: Context) -> Self {
        Self {
            context,
            tool_router: Self::tool_router(),
            prompt_router: Self::prompt_router(),
        }
    }

    /// Does work that reads files beside the protocol, which goes on answering meanwhile.
    async fn beside(&self, work: impl FnOnce(&Context) -> Answer + Send + 'static) -> Answer {
        let context = self.context.clone();
        let done = tokio::task::spawn_blocking(move || work(&context)).await;
        done.unwrap_or_else(|_| {
            Err(
                "the tool failed inside; try it again, and with other arguments if that fails too"
                    .to_owned(),
            )
        })
    }
}

fn find(context: &Context, id: Option<&str>) -> Result<Conversation, String> {
    Conversations::new(&context.home)
        .find(id)
        .map_err(|error| error.to_string())
}

#[tool_router]
impl Server {
    /// The last turns of a conversation, newest steps in full view: what the user said, what the model said and called, how it went. Use it to pick up
    /// a conversation, or after the context was compacted. Markdown, at most 16 KB a page.
    #[tool(input_schema = schema::<Read>(), annotations(
        title = "Read the last turns",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn read_transcript(&self, arguments: JsonObject) -> Answer {
        let asked: Read = parse(arguments)?;
        self.beside(move |context| read(context, &asked)).await
    }

    /// Searches a conversation for a text or regular expression, lists its records by role and steps, or gives one step whole
    /// (stepIndex, with field for one long field page by page). Markdown, at most 16 KB a page.
    #[tool(input_schema = schema::<Query>(), annotations(
        title = "Search a conversation",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn query_transcript(&self, arguments: JsonObject) -> Answer {
        let asked: Query = parse(arguments)?;
        self.beside(move |context| query(context, asked)).await
    }

    /// How a conversation is doing: turns, bytes, estimated tokens, polling loops, files read again and again, the biggest steps,
    /// and what to do about it.
    #[tool(input_schema = schema::<Health>(), annotations(
        title = "Check a conversation's health",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn check_context_health(&self, arguments: JsonObject) -> Answer {
        let asked: Health = parse(arguments)?;
        self.beside(move |context| health(context, &asked)).await
    }

    /// Writes the prompt for a subagent: its objective, the files in its scope, what it hands back, and the rule that findings over 1 KB
    /// go into a file and only the pointer is sent.
    #[tool(input_schema = schema::<Brief>(), annotations(
        title = "Write a subagent's brief",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn subagent_brief(&self, arguments: JsonObject) -> Answer {
        let asked: Brief = parse(arguments)?;
        refuse(&asked.unknown, "objective, scopeFiles, expectedDeliverable")?;
        brief::brief(
            &asked.objective,
            &asked.scope_files,
            &asked.expected_deliverable,
        )
    }

    /// Whether execution-guard is installed and working: the binary, the hook's registrations, rtk, this server. Changes nothing.
    #[tool(input_schema = schema::<Nothing>(), annotations(
        title = "Installation status",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn get_installation_status(&self, arguments: JsonObject) -> Answer {
        let asked: Nothing = parse(arguments)?;
        refuse(&asked.unknown, "(it takes none)")?;
        self.beside(|context| context.installation.status()).await
    }

    /// Brings the registrations of the hook and of this server up to date, with backups. With checkOnly it only tells what would change.
    #[tool(input_schema = schema::<Sync>(), annotations(
        title = "Sync the installation",
        read_only_hint = false,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn sync_installation(&self, arguments: JsonObject) -> Answer {
        let asked: Sync = parse(arguments)?;
        refuse(&asked.unknown, "checkOnly")?;
        let check_only = asked.check_only.unwrap_or(false);
        self.beside(move |context| context.installation.sync(check_only))
            .await
    }
}

#[prompt_router]
impl Server {
    /// The governance rules: how to wait without polling, keep output out of the context and print the Pre-Yield Status Card.
    #[prompt(name = "context_shield", title = "Context shield")]
    async fn context_shield(&self) -> GetPromptResult {
        GetPromptResult::new(vec![PromptMessage::new_text(
            Role::User,
            GOVERNANCE.to_owned(),
        )])
        .with_description("Rules to work by in this conversation")
    }
}

#[tool_handler(router = self.tool_router)]
#[prompt_handler(router = self.prompt_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .build();
        let name = Implementation::new("execution-guard", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let rules = Resource::new(RULES, "governance")
            .with_title("Governance rules")
            .with_description("How to work under execution-guard, ready to inject into a context")
            .with_mime_type("text/markdown")
            .with_size(GOVERNANCE.len() as u64);
        Ok(ListResourcesResult::with_all_items(vec![rules]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != RULES {
            let message = format!("there is no such resource; the only one is {RULES}");
            return Err(ErrorData::resource_not_found(message, None));
        }
        let text = ResourceContents::text(GOVERNANCE, RULES).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}

fn read(context: &Context, asked: &Read) -> Answer {
    refuse(
        &asked.unknown,
        "conversationId, mode, lastTurns, includeThinking, beforeStep, maxBytes",
    )?;
    let request = ReadRequest {
        mode: asked.mode.unwrap_or_default().into(),
        last_turns: turns(asked.last_turns),
        thinking: asked.include_thinking.unwrap_or(false),
        before_step: asked.before_step,
        max_bytes: page(asked.max_bytes)?,
        route: Route::Tools,
    };
    let conversation = find(context, asked.conversation_id.as_deref())?;
    reading::read(&conversation, &request).map_err(|error| error.to_string())
}

fn query(context: &Context, asked: Query) -> Answer {
    refuse(
        &asked.unknown,
        "conversationId, query, regex, roles, mode, startStep, endStep, lastTurns, includeThinking, includeToolCalls, maxResults, summaryOnly, stepIndex, field, offset, maxBytes",
    )?;
    let max_bytes = page(asked.max_bytes)?;
    let conversation = find(context, asked.conversation_id.as_deref())?;
    let Some(step) = asked.step_index else {
        if asked.field.is_some() || asked.offset.is_some() {
            return Err("field and offset need stepIndex; give it, or leave them out".to_owned());
        }
        return search(&conversation, asked, max_bytes);
    };
    if asked.query.is_some() {
        return Err(
            "stepIndex gives one step whole and query searches; give one of them".to_owned(),
        );
    }
    let request = StepRequest {
        step,
        field: asked.field,
        offset: asked.offset.unwrap_or(0),
        max_bytes,
        route: Route::Tools,
    };
    reading::step(&conversation, &request).map_err(|error| error.to_string())
}

fn search(conversation: &Conversation, asked: Query, max_bytes: usize) -> Answer {
    let mut request = QueryRequest::new(asked.query, Route::Tools);
    request.meaning = match asked.regex {
        None => Meaning::Either,
        Some(true) => Meaning::Pattern,
        Some(false) => Meaning::Text,
    };
    request.roles = asked.roles.into_iter().map(arguments::Role::into).collect();
    request.mode = asked.mode.unwrap_or_default().into();
    (request.start_step, request.end_step) = (asked.start_step, asked.end_step);
    request.last_turns = asked.last_turns.unwrap_or(0);
    request.thinking = asked.include_thinking.unwrap_or(false);
    request.tool_calls = asked.include_tool_calls.unwrap_or(true);
    request.max_results = results(asked.max_results)?;
    request.summary_only = asked.summary_only.unwrap_or(false);
    request.max_bytes = max_bytes;
    reading::query(conversation, &request).map_err(|error| error.to_string())
}

fn health(context: &Context, asked: &Health) -> Answer {
    refuse(&asked.unknown, "conversationId, transcriptPath")?;
    let conversation = match (&asked.conversation_id, &asked.transcript_path) {
        (Some(_), Some(_)) => {
            return Err("give conversationId or transcriptPath, not both".to_owned());
        }
        (None, Some(path)) => {
            Conversation::from_path(Path::new(path)).map_err(|error| error.to_string())?
        }
        (id, None) => find(context, id.as_deref())?,
    };
    reading::health(&conversation, &HealthRequest::new(Route::Tools))
        .map_err(|error| error.to_string())
}
