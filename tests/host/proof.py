"""What stories assert: failures show what the model was shown."""


def shows(shown, *texts):
    # What passes through the host's terminal ends its lines as terminals do.
    shown = shown.replace("\r", "")
    missing = [text for text in texts if text not in shown]
    assert not missing, f"{missing} not in what the model was shown:\n{shown}"


def hides(shown, *texts):
    found = [text for text in texts if text in shown]
    assert not found, f"{found} in what the model was shown:\n{shown}"


def same(got, wanted):
    assert got == wanted, f"{got!r} is not {wanted!r}"
