package dev.pitwall.lab.talos;

import dev.pitwall.lab.world.LabTalos.NextImage;
import dev.pitwall.lab.world.World;

import java.util.List;
import java.util.Optional;

/**
 * Which images can be had: of schematics that were posted to the factory once, for releases that there are, with
 * extensions that the release has.
 */
final class Images {
    private final World world;
    private final TalosData data;

    Images(World world, TalosData data) {
        this.world = world;
        this.data = data;
    }

    /**
     * What an installer reference leads to.
     *
     * @throws FactoryRefusal 404 for what is not there, 400 for what cannot be built, with the factory's texts
     */
    NextImage installer(String reference) throws FactoryRefusal {
        InstallerImage image = InstallerImage.parse(reference)
                .orElseThrow(() -> FactoryRefusal.notFound(reference + ": not found"));
        TalosData.Release release = release(image.version());
        if (image.isPlain()) {
            if (release.isAtLeast("v1.14.0")) {
                throw FactoryRefusal.notFound(reference + ": not found");
            }
            return new NextImage(image.version(), image.schematic(), List.of());
        }
        return new NextImage(image.version(), image.schematic(), extensions(schematic(image.schematic()), release));
    }

    TalosData.Release release(String version) throws FactoryRefusal {
        String tag = version.startsWith("v") ? version : "v" + version;
        return data.release(tag).orElseThrow(() -> FactoryRefusal.notFound("version " + tag.substring(1)
                + " is not available"));
    }

    Schematic schematic(String id) throws FactoryRefusal {
        Optional<String> yaml = world.read(w -> Optional.ofNullable(w.schematics.get(id)));
        return Schematic.parse(yaml.orElseThrow(() -> FactoryRefusal.notFound("schematic not found")));
    }

    /** An extension that does not exist is only found out when the image is built (facts: cluster.md 4.4). */
    List<String> extensions(Schematic schematic, TalosData.Release release) throws FactoryRefusal {
        for (String name : schematic.extensions()) {
            if (data.extension(release, name).isEmpty()) {
                throw FactoryRefusal.invalid("official extension \"" + name + "\" is not available for Talos version "
                        + release.talos());
            }
        }
        return schematic.extensions();
    }
}
