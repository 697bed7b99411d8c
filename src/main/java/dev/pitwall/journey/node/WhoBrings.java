package dev.pitwall.journey.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.ObjectType;
import dev.pitwall.journey.survey.ShellNode;

import java.util.Optional;

/**
 * Decides who brings driver and container toolkit to a node with a package manager, for the steps of the node and for the
 * operator's values alike: what is chosen, else what is there, else what is recommended.
 */
public final class WhoBrings {
    private static final String LABEL = "nvidia.com/gpu.deploy.driver";
    private static final String TOOLKIT_PACKAGE = "nvidia-container-toolkit";
    /** The choice of the step that makes cards schedulable, as far as it decides here. */
    private static final String STACK = "stack";
    private static final String DEVICE_PLUGIN = "device-plugin";

    private final DriverPackages packages;

    public WhoBrings() {
        this(new DriverPackages());
    }

    WhoBrings(DriverPackages packages) {
        this.packages = packages;
    }

    /** Why one is recommended. */
    enum Reason { SECURE_BOOT, THERE, PLUGIN, NOTHING_THERE }

    /** @return empty where the node was not read, or has no package manager */
    public Optional<Brings> driver(Situation situation) {
        return shell(situation).map(node -> chosen(situation, Brings.DRIVER).orElseGet(() -> driver(situation, node)));
    }

    /** @return empty where the node was not read, or has no package manager */
    public Optional<Brings> toolkit(Situation situation) {
        return shell(situation).map(node -> chosen(situation, Brings.TOOLKIT).orElseGet(() -> toolkit(situation, node)));
    }

    private static Optional<ShellNode> shell(Situation situation) {
        return situation.node().flatMap(node -> node instanceof ShellNode shell ? Optional.of(shell) : Optional.empty());
    }

    private static Optional<Brings> chosen(Situation situation, String key) {
        return situation.choices().get(key).flatMap(Brings::named);
    }

    private static boolean plugin(Situation situation) {
        return situation.choices().get(STACK).filter(DEVICE_PLUGIN::equals).isPresent();
    }

    /** The recommended one. */
    Brings driver(Situation situation, ShellNode node) {
        return switch (reason(situation, node)) {
            case SECURE_BOOT, THERE, PLUGIN -> Brings.OS;
            case NOTHING_THERE -> Brings.OPERATOR;
        };
    }

    /** Secure Boot takes nothing that a container builds, and an operator that is there is taken as it is. */
    Reason reason(Situation situation, ShellNode node) {
        if (packages.hasModules(node) || node.driver().runfile()) {
            return Reason.THERE;
        }
        if (node.driver().secureBoot().orElse(false)) {
            return Reason.SECURE_BOOT;
        }
        if (plugin(situation)) {
            return Reason.PLUGIN;
        }
        boolean left = policy(situation).map(p -> !p.at("/spec/driver/enabled").asBoolean(true)).orElseGet(() ->
                situation.nodeName().flatMap(name -> situation.cluster().flatMap(c -> c.node(name)))
                        .filter(n -> n.at("/metadata/labels").path(LABEL).asText().equals("pre-installed")).isPresent());
        return left ? Reason.THERE : Reason.NOTHING_THERE;
    }

    /** The recommended one: whoever brings the driver, unless an operator or a package is there. */
    Brings toolkit(Situation situation, ShellNode node) {
        if (plugin(situation) || node.software().has(TOOLKIT_PACKAGE)) {
            return Brings.OS;
        }
        Optional<JsonNode> policy = policy(situation).filter(p -> situation.choices().get(Brings.DRIVER).isEmpty());
        return policy.map(p -> p.at("/spec/toolkit/enabled").asBoolean(true) ? Brings.OPERATOR : Brings.OS)
                .orElseGet(() -> driver(situation).orElseThrow());
    }

    /** The operator's policy that counts. */
    static Optional<JsonNode> policy(Situation situation) {
        return situation.cluster().flatMap(c -> c.all(ObjectType.CLUSTER_POLICY).stream()
                .filter(p -> !p.at("/status/state").asText().equals("ignored")).findFirst());
    }
}
