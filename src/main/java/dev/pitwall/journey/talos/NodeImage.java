package dev.pitwall.journey.talos;

import dev.pitwall.journey.change.TalosUpgrade;
import dev.pitwall.journey.survey.TalosNode;
import dev.pitwall.journey.talos.InstallerImage.SecureBoot;
import java.util.Optional;

/** The image that a Talos node runs, and references to others that it could run. */
record NodeImage(TalosNode node, TalosVersion version, Schematic schematic) {

    /** The image in the machine configuration: what the node would be installed with. */
    private static Optional<String> noted(TalosNode node) {
        return node.config().map(c -> c.at("/machine/install/image").asText("")).filter(text -> !text.isEmpty()
                && !text.equals("null"));
    }

    Optional<String> noted() {
        return noted(node);
    }

    /** What runs; its reference is told by the configuration if that names the same image. */
    TalosUpgrade.Image running() {
        String id = node.image().schematic().orElse("");
        String reference = noted().filter(r -> InstallerImage.parse(r).filter(i -> i.schematic().equals(id)
                && i.version().equals(node.version())).isPresent()
                || id.isEmpty() && r.endsWith(":" + node.version())).orElseGet(() -> reference(schematic));
        return new TalosUpgrade.Image(reference, node.version(), id.isEmpty() ? schematic.id() : id, schematic.canonical());
    }

    TalosUpgrade.Image of(Schematic other) {
        return new TalosUpgrade.Image(reference(other), node.version(), other.id(), other.canonical());
    }

    /** At the factory to which schematics are posted, with the path of the configuration's installer if it has one. */
    private String reference(Schematic other) {
        SecureBoot secure = node.security().secureBoot() ? SecureBoot.ON : SecureBoot.OFF;
        String usual = InstallerImage.path(node.platform(), version, secure);
        String path = noted().flatMap(InstallerImage::parse).map(InstallerImage::path)
                .filter(p -> p.endsWith("-secureboot") == (secure == SecureBoot.ON)).orElse(usual);
        return new InstallerImage(InstallerImage.host(node.factory()), path, other.id(), node.version()).reference();
    }
}
