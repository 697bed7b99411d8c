package dev.pitwall;

import dev.pitwall.card.TroubleException;
import dev.pitwall.store.DataFolder;

/**
 * Where a command's log goes. What it has to say to a person it says in its own sentences, and the log lies in a file beside the
 * database; asked for with {@code -Dpitwall.log}, it is printed instead. To be called before anything logs: {@code logback.xml}
 * reads the properties once.
 */
final class CommandLog {
    private static final String ASKED_FOR = "pitwall.log";
    private static final String PRINTED = "pitwall.log.printed";
    private static final String WRITTEN = "pitwall.log.written";
    private static final String FILE = "pitwall.log.file";

    private CommandLog() {
    }

    static void intoItsFile() {
        if (System.getProperty(ASKED_FOR) != null) {
            return;
        }
        try {
            System.setProperty(FILE, DataFolder.ofThisProcess().path().resolve("pitwall.log").toString());
            System.setProperty(WRITTEN, "WARN");
            System.setProperty(PRINTED, "OFF");
        } catch (TroubleException _) {
            // The command says what is wrong with the folder; until then the log is printed.
            return;
        }
    }
}
