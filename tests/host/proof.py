"""What stories assert: failures show what the model was shown."""


def shows(shown, *texts):
    shown = plain(shown)
    missing = [text for text in texts if text not in shown]
    assert not missing, f"{missing} not in what the model was shown:\n{shown}"


def hides(shown, *texts):
    shown = plain(shown)
    found = [text for text in texts if text in shown]
    assert not found, f"{found} in what the model was shown:\n{shown}"


def plain(shown):
    """What passes through the host's terminal ends its lines as terminals do."""
    return shown.replace("\r", "")


def same(got, wanted):
    assert got == wanted, f"{got!r} is not {wanted!r}"
