package dev.pitwall.doctor.sign;

import java.util.Locale;

/**
 * What a document is said to be: by whoever saved it, or by the command that printed it. It is only a hint, since people
 * paste anything anywhere; a rule that insists on one names it.
 */
public enum Hint {
    UNKNOWN, POD_STATUS, POD_LOG, DMESG, EVENT, COMMAND_OUTPUT, HELM_VALUES, NODE_JSON, JOURNAL, LSPCI, VM_CONFIG;

    /** The name in file names and in the catalogue, for example {@code pod-log}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The hint of that name; {@link #UNKNOWN} if there is none. */
    public static Hint named(String wireName) {
        for (Hint hint : values()) {
            if (hint.wireName().equals(wireName)) {
                return hint;
            }
        }
        return UNKNOWN;
    }
}
