package dev.pitwall.read;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A values file.
 *
 * @param chart    {@code gpu-operator}, {@code nvidia-device-plugin} or {@code ollama}, after the keys it uses; empty
 *                 where they do not tell
 * @param prefix   the key under which an umbrella chart holds these values
 * @param settings every value by its dotted path under the prefix, for example
 *                 {@code driver.version} or {@code toolkit.env[0].name}; secrets are masked
 * @param sharing  device plugin configurations in the file, in its values and in ConfigMaps beside them
 */
public record HelmValues(Optional<String> chart, Optional<String> prefix, Map<String, String> settings,
                         List<SharingConfig> sharing, List<String> notes) implements Understood {
    public HelmValues {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        sharing = List.copyOf(sharing);
        notes = List.copyOf(notes);
    }

    @Override
    public Kind kind() {
        return Kind.HELM_VALUES;
    }
}
