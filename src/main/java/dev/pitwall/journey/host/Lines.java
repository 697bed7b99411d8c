package dev.pitwall.journey.host;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.Content;

import java.util.ArrayList;
import java.util.List;

/** Says in a few words how a text file changes. */
final class Lines {
    private Lines() {
    }

    /** For example {@code new file, 4 lines} or {@code 2 lines added}. */
    static String summary(Content before, Content after, Sentences texts) {
        List<String> old = before.text().lines().toList();
        List<String> now = after.text().lines().toList();
        if (before.absent()) {
            return texts.count("file.new", now.size());
        }
        int added = missing(now, old);
        int gone = missing(old, now);
        return gone == 0 ? texts.count("file.added", added)
                : added == 0 ? texts.count("file.removed", gone) : texts.count("file.changed", Math.max(added, gone));
    }

    private static int missing(List<String> of, List<String> in) {
        List<String> rest = new ArrayList<>(of);
        in.forEach(rest::remove);
        return rest.size();
    }
}
