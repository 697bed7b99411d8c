package dev.pitwall.journey.node;

import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.change.PackageChange.Manager;
import dev.pitwall.journey.survey.ShellNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A package source beside the distribution's own.
 *
 * @param offers a package that only this source has
 * @param apt    its files where apt reads them
 * @param dnf    its file where dnf reads it; dnf fetches the key itself
 */
public record PackageSource(String offers, Apt apt, Dnf dnf) {

    /**
     * @param file    the list
     * @param key     address of the key, armoured
     * @param keyFile where the key is put
     * @param line    the only line of the list
     */
    public record Apt(String file, String key, String keyFile, String line) {
    }

    public record Dnf(String file, String text) {
    }

    String keyAddress(Map<String, String> release) {
        return apt.key().replace("{repository}", repository(release));
    }

    List<String> paths() {
        return List.of(apt.file(), apt.keyFile(), dnf.file());
    }

    /** Ubuntu by its whole version, others by the major. */
    private static String repository(Map<String, String> release) {
        String id = release.getOrDefault("ID", "");
        String version = release.getOrDefault("VERSION_ID", "");
        return id.equals("ubuntu") ? id + version.replace(".", "")
                : (id.equals("debian") ? id : "rhel") + version.replaceFirst("\\..*", "");
    }

    /**
     * The files that name it.
     *
     * @param summary of a new file
     * @return empty where its key could not be fetched
     */
    Optional<List<FileChange>> changes(ShellNode node, String summary) {
        if (node.software().manager().filter(Manager.DNF::equals).isPresent()) {
            return Optional.of(write(node, dnf.file(), Content.of(filled(dnf.text(), node)), summary).stream().toList());
        }
        Content key = node.software().keys().get(keyAddress(node.release()));
        if (key == null) {
            return Optional.empty();
        }
        List<FileChange> changes = new ArrayList<>();
        write(node, apt.keyFile(), key, summary).ifPresent(changes::add);
        write(node, apt.file(), Content.of(filled(apt.line(), node) + "\n"), summary).ifPresent(changes::add);
        return Optional.of(changes);
    }

    private String filled(String text, ShellNode node) {
        return text.replace("{keyFile}", apt.keyFile()).replace("{repository}", repository(node.release()));
    }

    private static Optional<FileChange> write(ShellNode node, String path, Content after, String summary) {
        Content before = node.file(path);
        return before.equals(after) ? Optional.empty()
                : Optional.of(new FileChange(node.machine(), path, before, after, summary));
    }
}
