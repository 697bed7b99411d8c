package dev.pitwall.journey.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.NodeReport.Taint;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.node.DriverFit;
import dev.pitwall.journey.node.DriverReleases;
import dev.pitwall.journey.node.ModuleType;
import dev.pitwall.journey.survey.StackNames;
import dev.pitwall.read.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Composes the values of the GPU Operator's chart, each with its reason (facts: cluster.md 1.2, 1.5, 1.6, 4.2, 5). */
final class OperatorValues {
    private static final String TOOLKIT = "toolkit.enabled";
    private static final String ENVIRONMENT = "toolkit.env";
    private static final String MODULES = "driver.kernelModuleType";
    private static final String MEMORY = ".resources.limits.memory";

    private final Compose compose;
    private final CardCluster cluster;
    private final Settings settings;
    private final DriverReleases releases = new DriverReleases();
    private final ChartValues values;

    private OperatorValues(Compose compose) {
        this.compose = compose;
        this.cluster = compose.cluster();
        this.settings = compose.settings();
        this.values = compose.values();
    }

    static ChartValues of(Compose compose) {
        OperatorValues composing = new OperatorValues(compose);
        composing.driver();
        composing.toolkit();
        composing.discovery();
        composing.tolerations();
        composing.memory();
        composing.operands();
        composing.telemetry();
        composing.objects();
        return composing.values;
    }

    private void driver() {
        DriverSource source = DriverSource.of(cluster.situation(), cluster.survey());
        values.set("driver.enabled", source == DriverSource.OPERATOR, switch (source) {
            case OPERATOR -> compose.say("value.driver.operator");
            case SYSTEM -> compose.say("value.driver.system");
            case EXTENSION -> compose.say("value.driver.extension");
        });
        if (source == DriverSource.EXTENSION) {
            values.set("hostPaths.driverInstallDir", settings.talosDriverRoot(), compose.say("value.driverRoot.talos"));
        }
        if (source == DriverSource.OPERATOR && !values.now("driver.nvidiaDriverCRD.enabled").asBoolean(false)) {
            release();
        }
    }

    /** One driver is for all nodes with cards, so it has to drive all of them. */
    private void release() {
        DriverFit cards = ClusterNeeds.of(cluster.situation(), cluster.survey(), true).cards();
        String version = values.now("driver.version").asText();
        int branch = DriverFit.branch(version).orElse(0);
        if (!cards.takes(branch)) {
            releases.forCards(cards, compose.chart().file().version(), Optional.of(usualDriver())).ifPresent(chosen ->
                    values.set("driver.version", chosen.version(),
                            compose.say("value.driver.version", version, String.join(", ", cards.leftOutBy(branch)))));
        }
        modules(cards.types(DriverFit.branch(values.now("driver.version").asText()).orElse(0)), cards);
    }

    private String usualDriver() {
        return compose.chart().file().values().at("/driver/version").asText();
    }

    /** On Ubuntu 26.04 {@code auto} means open modules whatever the card is (facts: cluster.md 1.2). */
    private void modules(Set<ModuleType> fitting, DriverFit cards) {
        String now = values.now(MODULES).asText("auto");
        boolean named = fitting.stream().anyMatch(type -> type.value().equals(now));
        if (fitting.equals(Set.of(ModuleType.PROPRIETARY)) && !named) {
            values.set(MODULES, ModuleType.PROPRIETARY.value(), compose.say("value.modules.proprietary", cards.names()));
        } else if (!now.equals("auto") && !named && fitting.contains(ModuleType.OPEN)) {
            values.set(MODULES, ModuleType.OPEN.value(), compose.say("value.modules.open", cards.names()));
        }
    }

    private void toolkit() {
        boolean own = ToolkitSource.of(cluster.situation(), cluster.survey()) == ToolkitSource.OPERATOR;
        values.set(TOOLKIT, own, compose.say(own ? "value.toolkit.operator"
                : DriverSource.of(cluster.situation(), cluster.survey()) == DriverSource.EXTENSION
                ? "value.toolkit.extension" : "value.toolkit.system"));
        Map<String, String> wanted = settings.environment(cluster.survey().distribution());
        if (own && !wanted.isEmpty()) {
            ArrayNode environment = environment(wanted);
            values.set(ENVIRONMENT, environment, compose.say("value.toolkit.env",
                    compose.say("distribution." + cluster.survey().distribution()), wanted.get("CONTAINERD_SOCKET")));
        }
        if (compose.installs() && values.knows("cdi.enabled")) {
            values.set("cdi.enabled", true, compose.say("value.cdi"));
        }
    }

    /** What is given stays, in its place; what is wrong or missing is put right. */
    private ArrayNode environment(Map<String, String> wanted) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        values.now(ENVIRONMENT).forEach(variable -> {
            ObjectNode copy = variable.deepCopy();
            String name = variable.path("name").asText();
            if (wanted.containsKey(name) && mustFit(name)) {
                copy.put("value", wanted.get(name));
            }
            all.add(copy);
        });
        wanted.forEach((name, value) -> {
            if (all.valueStream().noneMatch(v -> v.path("name").asText().equals(name))) {
                all.addObject().put("name", name).put("value", value);
            }
        });
        return all;
    }

    /** The socket is where it is; where the toolkit writes its settings others may know better. */
    private static boolean mustFit(String variable) {
        return variable.equals("CONTAINERD_SOCKET");
    }

    private void discovery() {
        String release = compose.release().map(r -> r.namespace() + "/" + r.name())
                .orElse(StackNames.USUAL_NAMESPACE + "/" + StackNames.OPERATOR);
        cluster.otherDiscovery(release).stream().findFirst().ifPresent(other -> values.set("nfd.enabled", false,
                compose.say("value.nfd.off", CardCluster.namespace(other) + "/" + CardCluster.name(other))));
    }

    /** A list that is given replaces the chart's own, so each is completed, never cut. */
    private void tolerations() {
        tolerate("daemonsets.tolerations", CardCluster.namesOf(cluster.met()), List.copyOf(cluster.met()));
        placed("operator.tolerations", compose.say("part.operator"));
        if (values.now("nfd.enabled").asBoolean(true)) {
            tolerate("node-feature-discovery.worker.tolerations", CardCluster.namesOf(cluster.met()),
                    List.copyOf(cluster.met()));
            placed("node-feature-discovery.master.tolerations", compose.say("part.master"));
            placed("node-feature-discovery.gc.tolerations", compose.say("part.gc"));
        }
    }

    private void tolerate(String path, String names, List<Taint> taints) {
        Tolerations now = new Tolerations(values.now(path));
        List<Taint> missing = now.untolerated(taints);
        if (!missing.isEmpty() && values.knows(path)) {
            values.set(path, now.and(missing), compose.say("value.tolerations", names));
        }
    }

    /** What runs once in a cluster needs one node that takes it. */
    private void placed(String path, String who) {
        Tolerations now = new Tolerations(values.now(path));
        List<Taint> missing = cluster.inTheWay(now);
        if (!missing.isEmpty() && values.knows(path)) {
            values.set(path, now.and(missing), compose.say("value.placed", who, CardCluster.namesOf(missing)));
        }
    }

    /** The chart sets no limits; a person or a LimitRange of the namespace does. */
    private void memory() {
        settings.memory().forEach((part, memory) -> {
            if (!values.now(part + ".enabled").asBoolean(true)) {
                return;
            }
            String own = values.now(part + MEMORY).asText("");
            Optional<String> limit = own.isEmpty() ? defaultLimit() : Optional.of(own);
            if (limit.filter(l -> less(l, memory.least())).isPresent()) {
                values.set(part + MEMORY, memory.given(), compose.say("value.memory." + part, limit.get(),
                        own.isEmpty() ? compose.say("value.memory.range") : ""));
            }
        });
    }

    private Optional<String> defaultLimit() {
        String namespace = compose.release().map(r -> r.namespace()).orElse(StackNames.USUAL_NAMESPACE);
        return cluster.survey().in(ObjectType.LIMIT_RANGE, namespace)
                .flatMap(range -> range.at("/spec/limits").valueStream())
                .filter(limit -> limit.path("type").asText().equals("Container"))
                .map(limit -> limit.at("/default/memory").asText("")).filter(memory -> !memory.isEmpty()).findFirst();
    }

    static boolean less(String quantity, String least) {
        OptionalLong has = Numbers.quantity(quantity);
        return has.isPresent() && has.getAsLong() < Numbers.quantity(least).orElse(0);
    }

    private void operands() {
        values.set("devicePlugin.enabled", true, compose.say("value.plugin"));
        Optional<String> mig = cluster.situation().choices().get("mig");
        shared();
        mig.ifPresent(strategy -> values.set("mig.strategy", strategy, compose.say("value.mig")));
    }

    /** What the policy was given beside Helm is given to Helm too, or an upgrade would take it away. */
    private void shared() {
        Policies.counting(cluster.survey()).filter(p -> !compose.installs()).ifPresent(policy -> {
            String name = policy.at("/spec/devicePlugin/config/name").asText("");
            if (compose.upgrades() && !name.isEmpty() && !values.now("devicePlugin.config.name").asText("").equals(name)) {
                values.set("devicePlugin.config.name", name, compose.say("value.sharing"));
                values.set("devicePlugin.config.default", policy.at("/spec/devicePlugin/config/default").asText(""),
                        compose.say("value.sharing"));
            }
        });
    }

    private void telemetry() {
        if (!compose.installs()) {
            return;
        }
        cluster.daemonSets(List.of("dcgm-exporter")).stream().findFirst().ifPresent(other ->
                values.set("dcgmExporter.enabled", false, compose.say("value.exporter.off",
                        CardCluster.namespace(other) + "/" + CardCluster.name(other))));
        if (values.now("dcgmExporter.enabled").asBoolean(true)
                && cluster.survey().defines(ObjectType.SERVICE_MONITOR.resource())) {
            values.set("dcgmExporter.serviceMonitor.enabled", true, compose.say("value.monitor"));
            ObjectNode labels = ServiceMonitors.wanted(cluster.survey());
            if (!labels.isEmpty()) {
                values.set("dcgmExporter.serviceMonitor.additionalLabels", labels, compose.say("value.monitor.labels",
                        labels.properties().stream().map(l -> l.getKey() + "=" + l.getValue().asText())
                                .collect(Collectors.joining(", "))));
            }
        }
    }

    private void objects() {
        if (values.knows("clusterPolicy.deployCR") && cluster.survey().all(ObjectType.GPU_CLUSTER).isEmpty()) {
            values.set("clusterPolicy.deployCR", true, compose.say("value.policy"));
        }
        if (compose.upgrades() && values.knows("operator.upgradeCRD")) {
            values.set("operator.upgradeCRD", true, compose.say("value.definitions"));
        }
        if (!cluster.survey().may("patch", ObjectType.NAMESPACE, "") && Namespaces.lacksPrivilege(cluster.survey(),
                compose.release().map(r -> r.namespace()).orElse(StackNames.USUAL_NAMESPACE))) {
            values.set("psa.enabled", true, compose.say("value.psa"));
        }
    }
}
