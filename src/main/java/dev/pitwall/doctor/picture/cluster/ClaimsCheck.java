package dev.pitwall.doctor.picture.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.PodReport;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.NodeFacts;
import dev.pitwall.read.PodObject;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Who holds cards that a waiting pod wants. Pods are counted as the scheduler counts them (facts: cluster.md 7.1). */
final class ClaimsCheck implements Check {
    private static final int MOST_NAMED = 4;
    private static final Duration OVERDUE = Duration.ofMinutes(1);
    private static final Duration UNUSED = Duration.ofDays(1);
    private final PodObject reader = new PodObject();

    /** A pod and the object it was read from. */
    private record Claim(PodReport pod, Seen<JsonNode> seen) {
        JsonNode object() {
            return seen.what();
        }

        String from() {
            return seen.from();
        }
    }

    @Override
    public void look(Picture picture, SignBook book) {
        List<Claim> pods = picture.objects("Pod").stream()
                .map(p -> new Claim(reader.read(p.what()), p))
                .filter(p -> !p.pod().gpuRequests().isEmpty()).toList();
        Map<String, Claim> wanted = new TreeMap<>();
        pods.stream().filter(p -> waits(p.pod()))
                .forEach(p -> p.pod().gpuRequests().keySet().forEach(resource -> wanted.putIfAbsent(resource, p)));
        AgeCheck.newest(picture).ifPresent(now -> {
            pods.stream().filter(p -> p.pod().holdsResources()).filter(p -> overdue(p, now)).forEach(p -> terminating(p, book));
            pods.stream().filter(p -> p.pod().holdsResources()).filter(ClaimsCheck::idleNotebook)
                    .filter(p -> unused(p, picture, now)).forEach(p -> notebook(p, book));
        });
        wanted.forEach((resource, waiting) -> resource(resource, waiting, pods, Nodes.of(picture), book));
    }

    private static boolean waits(PodReport pod) {
        return pod.node().isEmpty() && pod.phase().equals("Pending") && !pod.deleting();
    }

    private static void resource(String resource, Claim waiting, List<Claim> pods, List<Seen<NodeFacts>> nodes,
                                 SignBook book) {
        Map<String, Long> offered = new TreeMap<>();
        nodes.stream().filter(node -> mayRun(waiting.object(), node.what())).forEach(node -> node.what().allocatable().ifPresent(allocatable -> {
            long amount = Nodes.amount(allocatable.getOrDefault(resource, "0"));
            if (amount > 0) {
                offered.put(node.what().name().orElse(""), amount);
            }
        }));
        nodes.stream().filter(node -> mayRun(waiting.object(), node.what()) && withholds(node.what())).findFirst()
                .ifPresent(node -> book.add(Shown.sign("card-not-offered", new About("", "", "", Pods.named(waiting.pod())),
                        waiting.from(), Nodes.called(node.what()) + " has a card and gives out none",
                        Map.of("by", node.what().name().orElse("")), Pods.asking(waiting.seen()),
                        node.shown("/metadata/labels/nvidia.com~1gpu.present", "/status/allocatable"))));
        List<Claim> holders = pods.stream().filter(p -> p.pod().holdsResources()
                && p.pod().gpuRequests().containsKey(resource)
                && p.pod().node().filter(offered::containsKey).isPresent()).toList();
        long most = offered.entrySet().stream().mapToLong(node -> node.getValue() - held(holders, node.getKey(), resource))
                .max().orElse(Long.MAX_VALUE);
        if (offered.isEmpty() && !nodes.isEmpty()) {
            book.add(Shown.sign("no-card-where-wanted", new About("", "", "", Pods.named(waiting.pod())), waiting.from(),
                    "no node that " + Pods.named(waiting.pod()) + " may run on gives out " + resource)
                    .comparing(offers(waiting, nodes, resource)));
        }
        if (offered.isEmpty() || most >= waiting.pod().gpuRequests().get(resource)) {
            return;
        }
        told(resource, waiting, holders, nodes, book);
    }

    /** What is asked for, and what nodes with cards have of it. */
    private static List<Excerpt> offers(Claim waiting, List<Seen<NodeFacts>> nodes, String resource) {
        return Stream.concat(Stream.of(Pods.asking(waiting.seen())), nodes.stream().filter(n -> Nodes.hasCard(n.what()))
                .limit(MOST_NAMED).map(n -> n.shown("/status/allocatable/" + resource.replace("/", "~1")))).toList();
    }

    /** By its node selector; a card of a node that is silent, or that the pod does not want, is of no use to it, free or not. */
    private static boolean mayRun(JsonNode pod, NodeFacts node) {
        return !silent(node) && node.labels().map(labels -> pod.path("spec").path("nodeSelector").properties().stream()
                .allMatch(wanted -> wanted.getValue().asText().equals(labels.get(wanted.getKey())))).orElse(true);
    }

    /** Its device plugin is not there, or says that the card is not well. */
    private static boolean withholds(NodeFacts node) {
        return Nodes.hasCard(node) && node.allocatable().filter(amounts -> amounts.entrySet().stream()
                .noneMatch(r -> r.getKey().startsWith("nvidia.com/") && Nodes.amount(r.getValue()) > 0)).isPresent();
    }

    private static boolean silent(NodeFacts node) {
        return node.conditions().orElse(List.of()).stream().anyMatch(c -> c.type().equals("Ready") && c.status().equals("Unknown"));
    }

    private static long held(List<Claim> holders, String node, String resource) {
        return holders.stream().filter(p -> p.pod().node().equals(Optional.of(node)))
                .mapToLong(p -> p.pod().gpuRequests().get(resource)).sum();
    }

    private static void told(String resource, Claim waiting, List<Claim> holders, List<Seen<NodeFacts>> nodes, SignBook book) {
        String named = holders.stream().limit(MOST_NAMED).map(p -> Pods.named(p.pod())
                + p.pod().node().map(node -> " on " + node).orElse("")).collect(Collectors.joining(", "))
                + (holders.size() > MOST_NAMED ? " and " + (holders.size() - MOST_NAMED) + " more" : "");
        book.add(Shown.sign("cards-all-claimed", new About("", "", "", Pods.named(waiting.pod())), waiting.from(),
                Pods.named(waiting.pod()) + " waits for " + resource + ", which is held by " + named,
                Map.of("holders", named, "resource", resource)).comparing(Stream.concat(
                        offers(waiting, nodes.stream().filter(n -> holders.stream().anyMatch(h -> h.pod().node().equals(n.what().name())))
                                .toList(), resource).stream(),
                        holders.stream().limit(MOST_NAMED).map(h -> Pods.asking(h.seen()))).toList()));
        holders.stream().filter(p -> p.pod().deleting()).forEach(p -> terminating(p, book));
        holders.stream().filter(ClaimsCheck::idleNotebook).forEach(p -> notebook(p, book));
    }

    private static void terminating(Claim claim, SignBook book) {
        book.add(Shown.sign("terminating-pod-holds-card", Pods.about(claim.pod()), claim.from(), Pods.named(claim.pod())
                + " has been told to end and still holds " + held(claim),
                Pods.asking(claim.seen(), "/metadata/deletionTimestamp")));
    }

    private static void notebook(Claim claim, SignBook book) {
        book.add(Shown.sign("idle-notebook", Pods.about(claim.pod()), claim.from(), "the notebook "
                + Pods.named(claim.pod()) + " holds " + held(claim) + " and asks for less than one processor",
                Pods.asking(claim.seen(), "/spec/containers/0/resources/requests/cpu")));
    }

    private static String held(Claim claim) {
        return String.join(", ", new TreeMap<>(claim.pod().gpuRequests()).keySet());
    }

    /** The object says until when it has time to end, its grace period included. */
    private static boolean overdue(Claim claim, Instant now) {
        return AgeCheck.instant(claim.object().path("metadata").path("deletionTimestamp"))
                .filter(end -> Duration.between(end, now).compareTo(OVERDUE) > 0).isPresent();
    }

    /** The notebook controller writes when a kernel was last busy (facts: cluster.md 7.4). */
    private static boolean unused(Claim claim, Picture picture, Instant now) {
        String name = claim.object().path("metadata").path("labels").path("notebook-name").asText();
        return picture.objects("Notebook").stream().map(Seen::what)
                .filter(n -> n.path("metadata").path("name").asText().equals(name)
                        && n.path("metadata").path("namespace").asText().equals(claim.pod().namespace()))
                .anyMatch(n -> AgeCheck.instant(n.path("metadata").path("annotations")
                        .path("notebooks.kubeflow.org/last-activity"))
                        .filter(last -> Duration.between(last, now).compareTo(UNUSED) > 0).isPresent());
    }

    /** Less than one processor and a whole card: the shape of a notebook that is open and not used. */
    private static boolean idleNotebook(Claim claim) {
        JsonNode labels = claim.object().path("metadata").path("labels");
        boolean notebook = labels.has("notebook-name") || labels.path("app").asText("").contains("jupyter")
                || labels.path("component").asText("").equals("singleuser-server");
        BigDecimal cpu = StreamSupport.stream(claim.object().path("spec").path("containers").spliterator(), false)
                .map(c -> processors(c.path("resources").path("requests").path("cpu").asText("0")))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return notebook && cpu.compareTo(BigDecimal.ONE) < 0;
    }

    private static BigDecimal processors(String printed) {
        try {
            return printed.endsWith("m") ? new BigDecimal(printed.substring(0, printed.length() - 1)).movePointLeft(3)
                    : new BigDecimal(printed);
        } catch (NumberFormatException e) {
            return BigDecimal.ONE;
        }
    }
}
