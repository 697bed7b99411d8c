package dev.pitwall.doctor.sign;

import com.google.re2j.Pattern;

/** Whether a line sounds like trouble, whatever it is about: the words in which programs and people complain. */
public final class Complaint {
    private static final Pattern WORDS = Pattern.compile("err(?:or|no)?\\b|fail|fatal|can(?:no|')t|can not|could ?n[o']t"
            + "|unable|denied|refus|forbid|reject|not (?:found|ready|supported|loaded|available|permitted|allowed|running)"
            + "|no such|no devices|invalid|unknown|unsupported|unhealthy|insufficient|mismatch|missing|timed? ?out|killed|crash"
            + "|backoff|back-off|pending|evict|stuck|didn't|doesn't|isn't|won't|blocked|broken|abort|exception|panic",
            Pattern.CASE_INSENSITIVE);

    private Complaint() {
    }

    /** True if something in the line complains. */
    public static boolean isIn(String line) {
        return WORDS.matcher(line).find();
    }
}
