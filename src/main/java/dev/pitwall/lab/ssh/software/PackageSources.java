package dev.pitwall.lab.ssh.software;

import dev.pitwall.lab.ssh.Machine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The package sources that a machine's files name. */
public final class PackageSources {
    private static final Pattern SIGNED_BY = Pattern.compile("(?i)signed-by[=:]\\s*([^\\s\\]]+)");

    /** A source, and whether its key is there. */
    public record Named(PackageCatalog.Source source, boolean trusted) {
    }

    private PackageSources() {
    }

    public static List<Named> of(Machine machine) {
        Map<String, byte[]> disk = machine.disk();
        List<String> files = disk.entrySet().stream().filter(e -> e.getKey().equals("/etc/apt/sources.list")
                        || e.getKey().matches("/etc/apt/sources\\.list\\.d/[^/]+\\.(list|sources)"))
                .map(e -> uncommented(new String(e.getValue(), StandardCharsets.UTF_8))).toList();
        return machine.catalog().sources().stream()
                .filter(source -> files.stream().anyMatch(text -> names(text, source)))
                .map(source -> new Named(source, source.key().isEmpty() || files.stream()
                        .filter(text -> names(text, source)).anyMatch(text -> keyIsThere(text, disk)))).toList();
    }

    private static String uncommented(String text) {
        return String.join("\n", text.lines().filter(line -> !line.strip().startsWith("#")).toList());
    }

    private static boolean names(String text, PackageCatalog.Source source) {
        return source.marks().stream().anyMatch(text::contains);
    }

    private static boolean keyIsThere(String text, Map<String, byte[]> disk) {
        if (text.contains("trusted=yes")) {
            return true;
        }
        Matcher m = SIGNED_BY.matcher(text);
        return m.find() ? disk.getOrDefault(m.group(1), new byte[0]).length > 0
                : disk.keySet().stream().anyMatch(path -> path.startsWith("/etc/apt/trusted.gpg.d/nvidia"));
    }
}
