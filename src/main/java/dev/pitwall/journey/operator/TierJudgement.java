package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.card.GpuNodes;
import dev.pitwall.card.NodeReport;
import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.card.OperandTower.Health;
import dev.pitwall.card.OperandTower.Kind;
import dev.pitwall.card.OperandTower.Tier;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Spans;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ClusterSurvey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why an operand is not up on a node: what it waits for and how long that is normal, or what is broken, in one sentence.
 * What comes by itself is never told as broken, nor the other way round.
 */
final class TierJudgement {
    private static final String DEPLOY = "nvidia.com/gpu.deploy.";
    /** A container that has ended badly so often does not come up by being started again. */
    private static final int HOPELESS = 4;
    private static final String NO_HANDLER = "no runtime for";

    private final ClusterSurvey survey;
    private final NodeReport node;
    private final Map<Kind, Tier> tiers;
    private final Settings settings;
    private final Sentences texts;
    private final Instant now;
    private final Warnings warnings;
    /** When the node became ready last. */
    private final Optional<Instant> ready;

    TierJudgement(CardCluster cluster, NodeReport node, Map<Kind, Tier> tiers, Settings settings, Sentences texts,
                  Instant now) {
        this.survey = cluster.survey();
        this.node = node;
        this.tiers = tiers;
        this.settings = settings;
        this.texts = texts;
        this.now = now;
        this.warnings = new Warnings(survey, now);
        this.ready = cluster.node().stream().flatMap(n -> n.at("/status/conditions").valueStream())
                .filter(c -> c.path("type").asText().equals("Ready")).map(c -> c.path("lastTransitionTime").asText(""))
                .filter(t -> !t.isEmpty()).map(Instant::parse).findFirst();
    }

    /** Empty if the operand is up. */
    Optional<Obstacle> of(Kind kind) {
        Optional<Tier> tier = Optional.ofNullable(tiers.get(kind));
        if (kind == Kind.DISCOVERY && seen()) {
            return tier.filter(t -> t.health() != Health.READY && t.health() != Health.STARTING).map(this::stuck);
        }
        if (tier.isEmpty()) {
            return Optional.of(withoutPod(kind));
        }
        return switch (tier.get().health()) {
            case READY -> kind == Kind.DISCOVERY ? Optional.of(firstScan(tier.get())) : Optional.empty();
            case ENDED, NO_NODE, INITIALISING, STARTING, OUT_OF_MEMORY, NO_IMAGE, CRASHING, REFUSED ->
                    Optional.of(stuck(tier.get()));
        };
    }

    /** NFD, whoever runs it, has seen a card on the node's bus. */
    private boolean seen() {
        return GpuNodes.nfdLabel(node).isPresent();
    }

    private Obstacle stuck(Tier tier) {
        String name = texts.say("tier." + tier.kind());
        return switch (tier.health()) {
            case READY -> throw new IllegalArgumentException("it is up");
            case ENDED -> waits(tier, texts.say("tier.ended", name));
            case NO_NODE -> unscheduled(tier, name);
            case INITIALISING -> initialising(tier, name);
            case STARTING -> starting(tier, name);
            case OUT_OF_MEMORY -> Obstacle.blocked(texts.say("tier.oom", name, tier.container(), tier.restarts()),
                    texts.say("tier.oom.next"));
            case NO_IMAGE -> noImage(tier, name);
            case CRASHING -> crashing(tier, name);
            case REFUSED -> Obstacle.blocked(texts.say("tier.refused", name, tier.pod().reason().orElse("Failed")),
                    texts.say("tier.refused.next", pod(tier)));
        };
    }

    private static String pod(Tier tier) {
        return tier.pod().name() + " -n " + tier.pod().namespace();
    }

    private Obstacle unscheduled(Tier tier, String name) {
        String why = tier.pod().scheduling().orElse("");
        return why.contains("untolerated taint") ? taint(name, why)
                : why.isEmpty() ? waits(tier, texts.say("tier.unscheduled.soon", name))
                : Obstacle.blocked(texts.say("tier.unscheduled", name, why), texts.say("tier.refused.next", pod(tier)));
    }

    private Obstacle taint(String name, String which) {
        return Obstacle.blocked(texts.say("tier.taint", name, which), texts.say("tier.taint.next"));
    }

    /** Its init containers look for what the operands below leave on the host (facts: cluster.md 1.4). */
    private Obstacle initialising(Tier tier, String name) {
        return sandbox(tier, name).orElseGet(() -> {
            String what = texts.say("init." + known(tier.container()), tier.container());
            return waits(tier, texts.say("tier.waits", name, what) + lasting(tier));
        });
    }

    private static String known(String container) {
        return switch (container) {
            case "driver-validation", "toolkit-validation", "cuda-validation", "plugin-validation", "k8s-driver-manager",
                    "config-manager-init" -> container;
            default -> "other";
        };
    }

    private Obstacle starting(Tier tier, String name) {
        Optional<Obstacle> sandbox = sandbox(tier, name);
        if (sandbox.isPresent()) {
            return sandbox.get();
        }
        String key = tier.kind() == Kind.DRIVER && running(tier) ? "tier.compiles" : running(tier) ? "tier.starts"
                : "tier.pulls";
        return waits(tier, texts.say(key, name) + lasting(tier));
    }

    private static boolean running(Tier tier) {
        return tier.pod().containers().stream().anyMatch(c -> c.name().equals(tier.container())
                && c.state().equals("running"));
    }

    /**
     * The runtime does not know the handler. Until the toolkit is up that is how it has to be; afterwards it has told the
     * wrong containerd, or containerd was not started anew (facts: cluster.md 1.9).
     */
    private Optional<Obstacle> sandbox(Tier tier, String name) {
        Optional<String> warning = warnings.of("Pod", tier.pod().name()).filter(m -> m.contains(NO_HANDLER));
        if (warning.isEmpty()) {
            return Optional.empty();
        }
        Optional<Tier> toolkit = Optional.ofNullable(tiers.get(Kind.TOOLKIT));
        boolean told = toolkit.isEmpty() || toolkit.get().health() == Health.READY;
        Duration since = since(tier);
        return Optional.of(told && since.compareTo(settings.coming("runtime")) > 0
                ? Obstacle.blocked(texts.say("tier.handler", name), texts.say("tier.handler.next",
                settings.environment(survey.distribution()).getOrDefault("CONTAINERD_SOCKET",
                        "/run/containerd/containerd.sock")))
                : waits(tier, texts.say("tier.waits", name, texts.say("init.toolkit-validation"))));
    }

    /**
     * How long it has been coming up. Its pod outlives a restart of the node, and its container one of its own: what came
     * last counts. A pod whose age is not known has not been late since its node started.
     */
    private Duration since(Tier tier) {
        Optional<Instant> container = Stream.concat(tier.pod().initContainers().stream(), tier.pod().containers().stream())
                .filter(c -> c.name().equals(tier.container())).flatMap(c -> c.since().stream()).findFirst();
        Optional<Instant> own = Stream.of(tier.pod().startedAt(), container).flatMap(Optional::stream).max(Instant::compareTo);
        return own.map(o -> ready.filter(o::isBefore).orElse(o))
                .filter(s -> s.isBefore(now)).map(s -> Duration.between(s, now)).orElse(Duration.ZERO);
    }

    /** A registry that says that there is no such image will not have it later; one that is not reached may be. */
    private Obstacle noImage(Tier tier, String name) {
        String message = tier.message();
        boolean never = message.contains("not found") || message.contains("manifest unknown")
                || message.contains("InvalidImageName");
        if (never && tier.kind() == Kind.DRIVER) {
            return Obstacle.blocked(texts.say("tier.noDriverImage", image(tier), node.osImage().orElse("")),
                    texts.say("tier.noDriverImage.next"));
        }
        return never ? Obstacle.blocked(texts.say("tier.noImage", name, image(tier)), texts.say("tier.noImage.next"))
                : comesBack(tier, texts.say("tier.pullFails", name, message.isEmpty() ? tier.words() : message));
    }

    private String image(Tier tier) {
        return survey.one(ObjectType.POD, tier.pod().namespace(), tier.pod().name()).stream()
                .flatMap(p -> List.of(p.at("/spec/initContainers"), p.at("/spec/containers")).stream())
                .flatMap(JsonNode::valueStream).filter(c -> c.path("name").asText().equals(tier.container()))
                .map(c -> c.path("image").asText()).findFirst().orElse(tier.container());
    }

    private Obstacle crashing(Tier tier, String name) {
        String message = tier.message().toLowerCase(Locale.ROOT);
        if (message.contains("configmap") && message.contains("not found")) {
            return Obstacle.blocked(texts.say("tier.noConfigMap", name, tier.message()), texts.say("tier.noConfigMap.next"));
        }
        return tier.restarts() >= HOPELESS ? Obstacle.blocked(texts.say("tier.crashes", name, tier.words()),
                texts.say("tier.crashes.next", pod(tier), tier.container()))
                : comesBack(tier, texts.say("tier.crashed", name, tier.words()));
    }

    private Obstacle comesBack(Tier tier, String why) {
        return limited(why, tier, "restarts");
    }

    private Obstacle waits(Tier tier, String why) {
        return limited(why, tier, part(tier.kind()));
    }

    /** Waits as long as that is normal, and no longer. */
    private Obstacle limited(String why, Tier tier, String normal) {
        Duration most = settings.coming(normal);
        Duration elapsed = since(tier);
        return elapsed.compareTo(most) > 0
                ? Obstacle.blocked(texts.say("tier.late", why, Spans.words(elapsed), Spans.words(most)),
                texts.say("tier.late.next", pod(tier)))
                : Obstacle.waiting(why, tier.kind().name().toLowerCase(Locale.ROOT) + " " + tier.container()
                + " " + tier.health(), most);
    }

    private static String part(Kind kind) {
        return switch (kind) {
            case DISCOVERY -> "discovery";
            case DRIVER -> "driver";
            case TOOLKIT, VALIDATOR, PLUGIN, FEATURES, MPS, MIG -> "tower";
            case TELEMETRY -> "telemetry";
        };
    }

    private String lasting(Tier tier) {
        return tier.progress().map(p -> texts.say("tier.lasting", Spans.words(since(tier)), Spans.words(p.usual())))
                .orElse("");
    }

    /** NFD's worker has just begun to look at the node (facts: cluster.md, NFD's first scan). */
    private Obstacle firstScan(Tier worker) {
        Duration most = settings.coming("discovery");
        return since(worker).compareTo(most) <= 0
                ? Obstacle.waiting(texts.say("tier.firstScan"), "discovery first scan", most)
                : Obstacle.blocked(texts.say("tier.noLabel", node.name()), texts.say("tier.noLabel.next"));
    }

    private Obstacle withoutPod(Kind kind) {
        String name = texts.say("tier." + kind);
        Optional<JsonNode> set = survey.all(ObjectType.DAEMON_SET).stream()
                .filter(s -> kind.isMadeBy(CardCluster.name(s))).findFirst();
        if (set.isEmpty()) {
            return kind == Kind.DISCOVERY && survey.releasesOf("gpu-operator").isEmpty()
                    ? Obstacle.blocked(texts.say("tier.noDiscovery"), texts.say("tier.noDiscovery.next")) : unmade(name);
        }
        List<Taint> taints = new Tolerations(set.get().at("/spec/template/spec/tolerations")).untolerated(node.taints());
        if (!taints.isEmpty()) {
            return taint(name, CardCluster.namesOf(taints));
        }
        Optional<String> refusal = warnings.of("DaemonSet", CardCluster.name(set.get()));
        if (refusal.isPresent()) {
            return Obstacle.blocked(texts.say("tier.notMade", name, refusal.get()), texts.say("tier.notMade.next",
                    CardCluster.namespace(set.get())));
        }
        return switchedOff(kind, name).orElseGet(() -> Obstacle.waiting(texts.say("tier.soon", name),
                kind.name().toLowerCase(Locale.ROOT) + " pod", settings.coming("operator")));
    }

    /** The operator has not made its DaemonSet yet; why not, it says in its policy. */
    private Obstacle unmade(String name) {
        Optional<PolicyState> state = Policies.counting(survey).map(PolicyState::of);
        boolean failed = state.filter(s -> s.reason().equals("ReconcileFailed")).isPresent();
        return failed ? Obstacle.blocked(texts.say("tier.reconcile", state.get().message()),
                texts.say("tier.reconcile.next")) : Obstacle.waiting(texts.say("tier.unmade", name), "operator-makes",
                settings.coming("operator"));
    }

    /** The labels that select the operands' nodes (facts: cluster.md 1.3). */
    private Optional<Obstacle> switchedOff(Kind kind, String name) {
        if (node.labels().getOrDefault(DEPLOY + "operands", "").equals("false")) {
            return Optional.of(Obstacle.blocked(texts.say("tier.off", node.name(), DEPLOY + "operands"),
                    texts.say("tier.off.next", node.name(), DEPLOY + "operands")));
        }
        String label = DEPLOY + switch (kind) {
            case DISCOVERY -> "";
            case DRIVER -> "driver";
            case TOOLKIT -> "container-toolkit";
            case VALIDATOR -> "operator-validator";
            case PLUGIN, MPS -> "device-plugin";
            case FEATURES -> "gpu-feature-discovery";
            case MIG -> "mig-manager";
            case TELEMETRY -> "dcgm-exporter";
        };
        String value = node.labels().getOrDefault(label, "");
        return switch (value) {
            case "paused-for-driver-upgrade", "paused-for-mig-change" -> Optional.of(Obstacle.waiting(
                    texts.say("tier.paused", name, value), "driver-upgrade", settings.coming("driver")));
            case "false" -> Optional.of(Obstacle.blocked(texts.say("tier.off", node.name(), label),
                    texts.say("tier.off.next", node.name(), label)));
            default -> Optional.empty();
        };
    }

    /** All operands are ready, and the node advertises nothing: the plugin registers, or its devices are unhealthy. */
    Obstacle unadvertised() {
        Tier plugin = tiers.get(Kind.PLUGIN);
        long devices = GpuNodes.sum(node.capacity());
        if (devices > 0) {
            return Obstacle.blocked(texts.say("plugin.unhealthy", devices), texts.say("plugin.unhealthy.next", pod(plugin)));
        }
        Duration most = settings.coming("plugin");
        return since(plugin).compareTo(most) <= 0
                ? Obstacle.waiting(texts.say("plugin.registers"), "plugin-registers", most)
                : Obstacle.blocked(texts.say("plugin.nothing"), texts.say("plugin.nothing.next", pod(plugin)));
    }
}
