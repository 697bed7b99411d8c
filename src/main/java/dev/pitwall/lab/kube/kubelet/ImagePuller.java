package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.control.EventRecorder.Type;
import dev.pitwall.lab.kube.kubelet.ContainerCell.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Brings images to nodes. Texts are those of the kubelet's image manager and of containerd. */
final class ImagePuller {
    private static final String ERROR = "ErrImagePull";
    /** A registry is asked whether what is there is still what it has. */
    private static final Duration CHECK = Duration.ofMillis(600);
    private static final Duration REFUSED = Duration.ofSeconds(1);
    /** How long a failure is shown before the back-off is. */
    private static final Duration SHOWN = Duration.ofSeconds(5);

    private final ImageCatalog catalog;
    private final PodEvents events;

    ImagePuller(ImageCatalog catalog, PodEvents events) {
        this.catalog = catalog;
        this.events = events;
    }

    /** @return empty if the image is there; else when to ask again */
    Optional<Instant> ready(PodRecord record, PodWork work, ContainerCell cell, Instant now) {
        ImageName name = ImageName.of(cell.image);
        if (cell.state instanceof State.Waiting waiting && waiting.reason().equals(ERROR)) {
            return Optional.of(backOff(record, work, cell, waiting.message(), now));
        }
        if (!cell.pulled.equals(Instant.MAX)) {
            return cell.pulled.isAfter(now) ? Optional.of(cell.pulled) : finish(record, work, cell, name, now);
        }
        boolean there = record.kubelet().images().contains(name.reference());
        if (there && !cell.pullPolicy.equals("Always")) {
            events.record(record, Type.Normal, "Pulled", "Container image \"" + cell.image
                    + "\" already present on machine", now);
            return Optional.empty();
        }
        if (cell.pullPolicy.equals("Never")) {
            String message = "Container image \"" + cell.image + "\" is not present with pull policy of Never";
            events.record(record, Type.Warning, "ErrImageNeverPull", message, now);
            events.record(record, Type.Warning, "Failed", "Error: ErrImageNeverPull", now);
            show(work, cell, "ErrImageNeverPull", message);
            cell.retryAt = now.plusSeconds(10);
            return Optional.of(cell.retryAt);
        }
        events.record(record, Type.Normal, "Pulling", "Pulling image \"" + cell.image + "\"", now);
        cell.pullBegan = now;
        cell.pulled = now.plus(duration(name, there));
        return Optional.of(cell.pulled);
    }

    private Duration duration(ImageName name, boolean there) {
        return switch (catalog.ask(name)) {
            case ImageCatalog.Answer.Found found -> there ? CHECK
                    : Duration.ofMillis(Math.round(found.entry().seconds() * 1000));
            case ImageCatalog.Answer.NoTag _, ImageCatalog.Answer.NoRepository _, ImageCatalog.Answer.NoRegistry _ ->
                    REFUSED;
        };
    }

    private Optional<Instant> finish(PodRecord record, PodWork work, ContainerCell cell, ImageName name, Instant now) {
        Duration took = Duration.between(cell.pullBegan, cell.pulled);
        cell.pulled = Instant.MAX;
        return switch (catalog.ask(name)) {
            case ImageCatalog.Answer.Found found -> {
                record.kubelet().images().add(name.reference());
                String time = text(took);
                events.record(record, Type.Normal, "Pulled", "Successfully pulled image \"" + cell.image + "\" in "
                        + time + " (" + time + " including waiting). Image size: " + found.entry().size()
                        + " bytes.", now);
                yield Optional.empty();
            }
            case ImageCatalog.Answer.NoRepository _ when name.isOnHub() -> fail(record, work, cell, "Unknown", name,
                    "pull access denied, repository does not exist or may require authorization: server message:"
                            + " insufficient_scope: authorization failed", now);
            case ImageCatalog.Answer.NoTag _, ImageCatalog.Answer.NoRepository _ -> fail(record, work, cell, "NotFound",
                    name, name.reference() + ": not found", now);
            case ImageCatalog.Answer.NoRegistry _ -> fail(record, work, cell, "Unknown", name, unreached(name), now);
        };
    }

    /** Nothing listens on a node itself; any other name is in no DNS of the lab. */
    private static String unreached(ImageName name) {
        String host = name.registry().replaceFirst(":\\d+$", "");
        String port = name.registry().substring(host.length());
        boolean own = host.equals("localhost");
        return "failed to do request: Head \"" + (own ? "http" : "https") + "://" + name.registry() + "/v2/"
                + name.path() + "/manifests/" + (name.digest().isEmpty() ? name.tag() : name.digest()) + "\": dial tcp"
                + (own ? " 127.0.0.1" + (port.isEmpty() ? ":80" : port) + ": connect: connection refused"
                : ": lookup " + host + ": no such host");
    }

    private Optional<Instant> fail(PodRecord record, PodWork work, ContainerCell cell, String code, ImageName name,
                                   String why, Instant now) {
        String message = "rpc error: code = " + code + " desc = failed to pull and unpack image \"" + name.reference()
                + "\": failed to resolve reference \"" + name.reference() + "\": " + why;
        events.record(record, Type.Warning, "Failed", "Failed to pull image \"" + cell.image + "\": " + message, now);
        events.record(record, Type.Warning, "Failed", "Error: " + ERROR, now);
        cell.pullFailures++;
        cell.pullBegan = now;
        show(work, cell, ERROR, message);
        cell.retryAt = now.plus(SHOWN);
        return Optional.of(cell.retryAt);
    }

    private Instant backOff(PodRecord record, PodWork work, ContainerCell cell, String why, Instant now) {
        String backOff = "Back-off pulling image \"" + cell.image + "\"";
        events.record(record, Type.Normal, "BackOff", backOff, now);
        events.record(record, Type.Warning, "Failed", "Error: ImagePullBackOff", now);
        show(work, cell, "ImagePullBackOff", backOff + ": " + ERROR + ": " + why);
        cell.retryAt = cell.pullBegan.plus(BackOff.after(cell.pullFailures));
        return cell.retryAt;
    }

    private static void show(PodWork work, ContainerCell cell, String reason, String message) {
        if (!cell.state.equals(new State.Waiting(reason, message))) {
            cell.waits(reason, message);
            work.changed = true;
        }
    }

    /** As Go prints a duration. */
    static String text(Duration took) {
        long millis = took.toMillis();
        if (millis < 1000) {
            return millis + "ms";
        }
        String seconds = String.format(Locale.ROOT, "%.3f", millis % 60_000 / 1000.0).replaceAll("\\.?0+$", "") + "s";
        return millis < 60_000 ? seconds : millis / 60_000 + "m" + seconds;
    }
}
