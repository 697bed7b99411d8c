package dev.pitwall.journey.host;

import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.FileChange;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The files from which the kernel gets its command line at the next boot (facts: proxmox.md 2.2). */
sealed interface BootConfig permits GrubConfig, SystemdBootConfig {

    /** The words that the next boot gets, as far as these files tell. */
    List<String> words();

    /**
     * How the next boot gets other words.
     *
     * @param keep what becomes of a word that is there; empty takes it out
     * @param add  what is to be there too; what is there already is not added again
     */
    Rewrite rewrite(Function<String, Optional<String>> keep, List<KernelWord> add);

    /** Carries the files on to where the boot loader reads. */
    CommandChange refresh();

    /** The outcome of {@link #rewrite}. */
    sealed interface Rewrite {
        /** @param files may be empty: the files say it already, and only have to be carried on */
        record Possible(List<FileChange> files) implements Rewrite {
            public Possible {
                files = List.copyOf(files);
            }
        }

        /** @param why a sentence with what to do */
        record Refused(String why) implements Rewrite {
        }
    }
}
