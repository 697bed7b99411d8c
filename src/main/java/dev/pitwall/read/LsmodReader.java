package dev.pitwall.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code lsmod} and {@code /proc/modules}. */
public final class LsmodReader {

    private static final Pattern LSMOD = Pattern.compile("([a-z0-9_]{2,64})\\s+(\\d{3,12})\\s+(-?\\d{1,6})(?:\\s+([\\w,.-]+))?\\s*");
    private static final Pattern PROC = Pattern.compile(
            "([a-z0-9_]{2,64}) (\\d{3,12}) (\\d{1,6}|-) ([\\w,.-]+,|-) (?:Live|Loading|Unloading) 0x[0-9a-f]+(?: \\(\\w+\\))?\\s*");
    private static final Pattern HEAD = Pattern.compile("Module\\s+Size\\s+Used by\\s*");

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        double share = text.share(this::known);
        return text.hits(t -> HEAD.matcher(t).matches()) > 0 && share > 0.5 ? 0.97 : share > 0.8 ? 0.85 * share : 0;
    }

    private boolean known(String text) {
        return LSMOD.matcher(text.strip()).matches() || PROC.matcher(text.strip()).matches() || HEAD.matcher(text).matches();
    }

    /** Reads as far as it goes; never throws. */
    public LoadedModules read(Text text) {
        Notes notes = new Notes();
        List<LoadedModules.Module> modules = new ArrayList<>();
        for (Text.Line line : text.filled(notes::add)) {
            Matcher lsmod = LSMOD.matcher(line.trimmed());
            Matcher proc = PROC.matcher(line.trimmed());
            if (line.open()) {
                notes.openEnd(line);
            } else if (lsmod.matches()) {
                modules.add(module(lsmod));
            } else if (proc.matches()) {
                modules.add(module(proc));
            } else if (!HEAD.matcher(line.text()).matches()) {
                notes.line(line, "not a module; skipped");
            }
        }
        return new LoadedModules(modules, notes.list());
    }

    private static LoadedModules.Module module(Matcher m) {
        String users = m.group(4) == null ? "" : m.group(4);
        return new LoadedModules.Module(m.group(1), Numbers.whole(m.group(2)), Numbers.whole(m.group(3)),
                Arrays.stream(users.split(",")).filter(u -> !u.isEmpty() && !u.equals("-")).toList());
    }
}
