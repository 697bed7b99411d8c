package dev.pitwall.lab.kube.exec;

import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.ssh.shell.Wording;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** {@code lab/kube/tools.yaml}: which programs are in which image. */
public final class ImageTools {
    private final List<Box> boxes;

    private ImageTools(List<Box> boxes) {
        this.boxes = boxes;
    }

    private record Listing(Map<String, List<String>> sets, Map<String, List<String>> unserved,
                           Map<String, LinkedHashMap<String, String>> environments, List<Entry> images) {
    }

    /**
     * @param image regular expression of repository and tag
     * @param has   sets of programs
     * @param also  single ones
     * @param env   which of the environments
     */
    private record Entry(String image, Wording shell, List<String> has, List<String> also, Boolean merged,
                         String release, String env) {
        Entry {
            has = has == null ? List.of() : has;
            also = also == null ? List.of() : also;
            release = release == null ? "" : release;
        }
    }

    private record Box(Pattern image, Toolbox tools) {
    }

    /** @throws UncheckedIOException if it cannot be read */
    public static ImageTools load() {
        Listing listing = DataFile.read("kube/tools.yaml", Listing.class);
        return new ImageTools(listing.images().stream().map(entry -> box(listing, entry)).toList());
    }

    private static Box box(Listing listing, Entry entry) {
        Set<String> programs = new TreeSet<>(entry.also());
        Set<String> unserved = new TreeSet<>();
        for (String set : entry.has()) {
            programs.addAll(listing.sets().get(set));
            unserved.addAll(Optional.ofNullable(listing.unserved().get(set)).orElse(List.of()));
        }
        unserved.removeAll(programs);
        return new Box(Pattern.compile(entry.image()), new Toolbox(
                Optional.ofNullable(entry.shell()).orElse(Wording.DASH), Set.copyOf(programs), Set.copyOf(unserved),
                Boolean.TRUE.equals(entry.merged()), entry.release(), listing.environments().get(entry.env())));
    }

    /** @param image repository with its registry, a colon, and its tag */
    public Toolbox of(String image) {
        return boxes.stream().filter(box -> box.image().matcher(image).matches()).findFirst().orElseThrow().tools();
    }

}
