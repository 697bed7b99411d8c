package dev.pitwall.doctor.sign;

import com.google.re2j.Pattern;

import java.util.Locale;

/**
 * What a document is said to be: by whoever saved it, or by the command that printed it. It is only a hint, since people
 * paste anything anywhere; a rule that insists on one names it.
 */
public enum Hint {
    POD_STATUS("pods?[_.-](?:status|descr)|get[_-]pods|describe[_-]pod|\\.descr$"),
    DMESG("dmesg|kern\\.log"),
    JOURNAL("journal|syslog|history\\.log"),
    LSPCI("lspci|iommu[_-]groups?"),
    VM_CONFIG("qm[_-]config|vm[_-]config|\\d{3,}\\.conf$"),
    EVENT("events?\\b|events?[_.-]"),
    HELM_VALUES("values\\.ya?ml|helm[_-]values"),
    NODE_JSON("describe[_-]node|nodes?\\.(?:json|ya?ml|descr|status)"),
    POD_LOG("\\.log$|[_-]logs?\\b|\\.previous"),
    COMMAND_OUTPUT("command|nvidia-smi|\\.out$"),
    UNKNOWN("^\\b$");

    /** {@code NN--kind--from.txt}, as a person saves outputs one by one. */
    private static final Pattern SAID = Pattern.compile("(?:^|/)\\d+--(?P<kind>[a-z-]+)--");
    private final Pattern name;

    Hint(String name) {
        this.name = Pattern.compile(name, Pattern.CASE_INSENSITIVE);
    }

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

    /** What the name of a file says about it. */
    public static Hint ofFile(String file) {
        var said = SAID.matcher(file);
        if (said.find()) {
            return named(said.group("kind"));
        }
        for (Hint hint : values()) {
            if (hint.name.matcher(file).find()) {
                return hint;
            }
        }
        return UNKNOWN;
    }
}
