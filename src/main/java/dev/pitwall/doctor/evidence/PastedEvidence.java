package dev.pitwall.doctor.evidence;

import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign.About;

/** One text that somebody has pasted: an output, a log, or several of them with the prompts between. */
public final class PastedEvidence implements Evidence {
    private final String name;
    private final Document.Bytes text;

    /** @param name what to call it where a line of it is shown */
    public PastedEvidence(String name, Document.Bytes text) {
        this.name = name;
        this.text = text;
    }

    @Override
    public void each(Taker taker) throws InterruptedException {
        taker.take(new Document(name, Hint.UNKNOWN, About.NOTHING, new Document.Stream(text)));
    }
}
