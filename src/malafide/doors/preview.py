"""What would be sent to a model, for people to see before anything is: in figures, or word for word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from malafide.doors.inputs import Source
from malafide.errors import MalafideError
from malafide.render.words import failure_line, harmless

if TYPE_CHECKING:
    from malafide.benches.spam import SpamClassifier
    from malafide.minds.mind import Prompt


def preview(sources: Iterable[Source], classifier: SpamClassifier, *, words: bool) -> None:
    """Prints for each mail what the models would be asked. Nothing is sent."""
    asked = letters = mails = 0
    for source in sources:
        mails += 1
        try:
            prompts, why_not = classifier.would_ask(source.load())
        except MalafideError as error:
            print(failure_line(source.name, str(error)))
            continue
        asked += bool(prompts)
        letters += sum(p.characters for p in prompts)
        print(_line(source.name, prompts, classifier) if prompts else _silence(source.name, why_not))
        if words:
            for prompt in prompts:
                print(whole(prompt, classifier.model_of(prompt.agent)))
    print(
        f"{asked} of {mails} mails would be put to a model, with about {letters // 4:,} tokens of questions; "
        "nothing was sent."
    )


def _line(name: str, prompts: list[Prompt], classifier: SpamClassifier) -> str:
    models = sorted({classifier.model_of(p.agent) for p in prompts})
    return (
        f"{harmless(name)}: {len(prompts)} questions, "
        f"{sum(len(p.user) for p in prompts):,} letters about the mail, to {', '.join(models)}"
    )


def _silence(name: str, why_not: str) -> str:
    return f"{harmless(name)}: nothing would be sent: {why_not}"


def whole(prompt: Prompt, model: str) -> str:
    """A question word for word."""
    rule = "-" * 30
    return (
        f"{rule} {prompt.agent} to {model}: system {rule}\n{prompt.system}\n"
        f"{rule} {prompt.agent} to {model}: user {rule}\n"
        f"{prompt.user}"
    )
