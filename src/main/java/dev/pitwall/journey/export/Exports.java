package dev.pitwall.journey.export;

import dev.pitwall.journey.Export;

import java.util.List;

/** The forms that a plan of a host and its VM can be given. */
public final class Exports {
    private Exports() {
    }

    /** In the order in which they are offered. */
    public static List<Export> all() {
        return List.of(new BashExport(), new AnsibleExport(), new TerraformExport(), new HelmValuesExport(),
                new ManifestsExport(), new TalosPatchExport());
    }
}
