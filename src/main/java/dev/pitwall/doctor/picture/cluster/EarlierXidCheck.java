package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.NodeFacts;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Errors of a card that are over. The kernel log keeps an Xid until the next boot. The device plugin is told of one while it
 * runs and withdraws the card at once, until it begins anew (facts: cluster.md 2); where it runs, watches and gives all cards of
 * its node out, the error is from before it began.
 */
final class EarlierXidCheck implements Check {
    private static final List<String> WITHDRAWING = List.of("memory-failing");
    private static final String GPU = "nvidia.com/gpu";
    private static final String AMOUNT = "/nvidia.com~1gpu";
    private static final String UNWATCHED = "DP_DISABLE_HEALTHCHECKS";
    private final UnaryOperator<String> component;

    EarlierXidCheck(UnaryOperator<String> component) {
        this.component = component;
    }

    @Override
    public void look(Picture picture, SignBook book) {
        List<Sign> errors = WITHDRAWING.stream().flatMap(id -> book.find(SignRef.of(id)).stream())
                .filter(sign -> sign.values().containsKey("xid")).toList();
        Nodes.of(picture).stream().filter(node -> givesAll(node.what())).forEach(node -> plugin(picture, node.what())
                .ifPresent(pod -> errors.stream().filter(error -> Optional.of(error.about().node()).equals(node.what().name()))
                        .forEach(error -> book.add(past(error, node, pod)))));
    }

    private static boolean givesAll(NodeFacts node) {
        long all = node.capacity().map(amounts -> Nodes.amount(amounts.getOrDefault(GPU, "0"))).orElse(0L);
        return all > 0 && node.allocatable().filter(amounts -> Nodes.amount(amounts.getOrDefault(GPU, "0")) >= all).isPresent();
    }

    private Optional<Seen<JsonNode>> plugin(Picture picture, NodeFacts node) {
        return picture.objects("Pod").stream()
                .filter(pod -> Optional.of(pod.what().at("/spec/nodeName").asText("")).equals(node.name()))
                .filter(pod -> component.apply(pod.what().at("/metadata/name").asText("")).equals("device-plugin"))
                .filter(pod -> pod.what().at("/status/conditions").valueStream().anyMatch(c ->
                        c.path("type").asText().equals("Ready") && c.path("status").asText().equals("True")))
                .filter(pod -> pod.what().at("/spec/containers").valueStream().flatMap(c -> c.path("env").valueStream())
                        .noneMatch(e -> e.path("name").asText().equals(UNWATCHED) && !e.path("value").asText("").isEmpty()))
                .findFirst();
    }

    private static Sign past(Sign error, Seen<NodeFacts> node, Seen<JsonNode> pod) {
        return Shown.sign("xid-before-plugin", Nodes.about(node), pod.from(), "the device plugin gives the card out, which it would"
                        + " have withdrawn had the error come while it ran", Map.of("xid", error.values().get("xid")))
                .comparing(Stream.concat(error.line().map(Excerpt::of).stream(), Stream.of(
                        node.shown("/status/capacity" + AMOUNT, "/status/allocatable" + AMOUNT),
                        pod.shown("/spec/nodeName", "/status/containerStatuses/0/state"))).toList());
    }
}
