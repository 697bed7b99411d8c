package dev.pitwall.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads {@code /proc/cmdline}: the first line that looks like a kernel command line. */
public final class CommandLineReader {

    private static final Pattern START = Pattern.compile(
            ".*?(?:(?:[Kk]ernel c|C)ommand line: *)(.*)|\\s*((?:BOOT_IMAGE=|initrd=\\\\).*)");
    private static final Pattern ROOT = Pattern.compile("(?:^|.*\\s)root=\\S+(?:\\s.*|$)");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\"?)+");

    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z][\\w.-]*(?:=\\S*)?");
    /** The kernel itself takes 2048 characters on x86, and 4096 on some others. */
    private static final int LONGEST = 4096;

    private final Set<String> known = known();

    /** How much the text looks like this form: 0 (not at all) to 1 (nothing else looks so). */
    public double likeness(Text text) {
        List<Text.Line> filled = text.first(400);
        if (filled.isEmpty() || find(filled).isEmpty()) {
            return 0;
        }
        return filled.size() == 1 ? 0.97 : filled.size() <= 3 ? 0.6 : 0.2;
    }

    /** Reads as far as it goes; never throws. */
    public KernelCommandLine read(Text text) {
        Notes notes = new Notes();
        Optional<Text.Line> line = find(text.first(400));
        if (line.isEmpty()) {
            return new KernelCommandLine(KernelCommandLine.Loader.UNKNOWN, List.of(), notes.list());
        }
        String options = options(line.get().text()).orElse(line.get().trimmed());
        List<String> words = words(options, line.get(), notes);
        return new KernelCommandLine(loader(options), words, notes.list());
    }

    private Optional<Text.Line> find(List<Text.Line> lines) {
        return lines.stream().filter(l -> options(l.text()).isPresent()
                || (l.text().contains("=") && ROOT.matcher(l.text()).matches()) || shaped(l.text())).findFirst();
    }

    /** Words and assignments only, two of them known to the kernel; what follows {@code --} is for init. */
    private boolean shaped(String line) {
        if (!line.contains("=") || line.length() > LONGEST) {
            return false;
        }
        List<String> words = List.of(line.strip().split("(?:^|\\s)--(?:\\s|$)", 2)[0].strip().split("\\s+"));
        return words.stream().allMatch(w -> PARAMETER.matcher(w).matches())
                && words.stream().map(w -> w.split("=", 2)[0]).filter(known::contains).distinct().count() >= 2;
    }

    private static Set<String> known() {
        try (InputStream in = CommandLineReader.class.getResourceAsStream("/read/kernel-parameters.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(l -> !l.isBlank() && !l.startsWith("#")).collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException("read/kernel-parameters.txt cannot be read", e);
        }
    }

    private static Optional<String> options(String line) {
        Matcher m = START.matcher(line);
        if (!m.matches()) {
            return Optional.empty();
        }
        String found = m.group(1) != null ? m.group(1) : m.group(2);
        return found.contains("=") ? Optional.of(found) : Optional.empty();
    }

    private static List<String> words(String options, Text.Line line, Notes notes) {
        List<String> words = new ArrayList<>();
        Matcher m = WORD.matcher(options);
        while (m.find()) {
            if (line.open() && m.end() == options.length()) {
                notes.openEnd(line);
            } else {
                words.add(m.group());
            }
        }
        return words;
    }

    private static KernelCommandLine.Loader loader(String options) {
        if (options.startsWith("BOOT_IMAGE=")) {
            return KernelCommandLine.Loader.GRUB;
        }
        return options.startsWith("initrd=\\EFI\\proxmox\\") || options.startsWith("initrd=\\EFI\\")
                ? KernelCommandLine.Loader.SYSTEMD_BOOT : KernelCommandLine.Loader.UNKNOWN;
    }
}
