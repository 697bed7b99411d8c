package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.data.DataFile;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** The registries that the lab's nodes reach, from {@code lab/kube/images.yaml}: which images there are, and how large. */
public final class ImageCatalog {
    private final List<Entry> entries;

    private ImageCatalog(List<Entry> entries) {
        this.entries = entries;
    }

    /** @throws UncheckedIOException if it cannot be read */
    public static ImageCatalog load() {
        return new ImageCatalog(DataFile.read("kube/images.yaml", Listing.class).images());
    }

    private record Listing(List<Entry> images) {
    }

    /**
     * @param image   repository with its registry
     * @param tags    tags that were published; absent means any
     * @param size    in bytes, packed, as the kubelet's event has it
     * @param seconds how long a pull takes
     * @param root    its user is root, so that {@code runAsNonRoot} alone refuses it
     */
    record Entry(ImageGlob image, List<ImageGlob> tags, long size, double seconds, boolean root) {
        private static final List<ImageGlob> ANY = List.of(new ImageGlob("*"));

        Entry {
            tags = tags == null ? ANY : tags;
        }

        boolean has(ImageName name) {
            return name.tag().isEmpty() || tags.stream().anyMatch(tag -> tag.fits(name.tag()));
        }
    }

    /** What a registry says about an image. */
    sealed interface Answer {
        record Found(Entry entry) implements Answer {
        }

        record NoTag() implements Answer {
        }

        record NoRepository() implements Answer {
        }

        /** Nothing of that name is on the network. */
        record NoRegistry() implements Answer {
        }
    }

    /** The first entry that fits decides. */
    Answer ask(ImageName name) {
        Optional<Entry> entry = entries.stream()
                .filter(known -> known.image().fits(name.repository())).findFirst();
        if (entry.isEmpty()) {
            boolean reached = entries.stream().anyMatch(known -> known.image().head().equals(name.registry()));
            return reached ? new Answer.NoRepository() : new Answer.NoRegistry();
        }
        return entry.get().has(name) ? new Answer.Found(entry.get()) : new Answer.NoTag();
    }

    /** True if an image as a container names it can be pulled. */
    public boolean has(String image) {
        return find(image).isPresent();
    }

    /** The entry of an image that is there. */
    Optional<Entry> find(String image) {
        return ask(ImageName.of(image)) instanceof Answer.Found found ? Optional.of(found.entry()) : Optional.empty();
    }
}
