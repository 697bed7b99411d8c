package dev.pitwall.lab.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.ssh.software.PackageCatalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The texts and tables of {@code resources/lab/ssh}: what real machines print where no state decides it. */
public final class LabTexts {
    private static final String FOLDER = "ssh/";

    private final JsonNode values;
    private final List<PciView> q35;
    private final List<PciView> i440fx;
    private final PackageCatalog packages;
    private final Map<String, String> loaded = new ConcurrentHashMap<>();

    public LabTexts() {
        ObjectMapper json = new ObjectMapper();
        try {
            values = json.readTree(resource("machines.json"));
            JsonNode guest = json.readTree(resource("guest-pci.json"));
            q35 = functions(guest.path("q35"));
            i440fx = functions(guest.path("i440fx"));
            packages = PackageCatalog.read(resource("packages.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException("lab texts are not readable", e);
        }
    }

    /** A single text of {@code machines.json}. */
    public String value(String key) {
        JsonNode value = values.path(key);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("machines.json has no text " + key);
        }
        return value.asText();
    }

    /** A list of {@code machines.json}; empty if it has none of that name. */
    public List<String> list(String key) {
        List<String> list = new ArrayList<>();
        values.path(key).forEach(v -> list.add(v.asText()));
        return list;
    }

    /** The packages that can be had. */
    public PackageCatalog packages() {
        return packages;
    }

    /** A whole resource file as text. */
    public String file(String name) {
        return loaded.computeIfAbsent(name, n -> new String(resource(n), StandardCharsets.UTF_8));
    }

    /** The devices QEMU gives a guest of that machine type, without passed ones. */
    List<PciView> guestPci(boolean pcie) {
        return pcie ? q35 : i440fx;
    }

    private static List<PciView> functions(JsonNode list) {
        List<PciView> functions = new ArrayList<>();
        for (JsonNode f : list) {
            functions.add(new PciView(f.path("address").asText(), f.path("class").asText(),
                    f.path("className").asText(), f.path("vendor").asText(), f.path("device").asText(),
                    f.path("vendorName").asText(), f.path("name").asText(), f.path("subsystemVendor").asText(),
                    f.path("subsystemDevice").asText(), f.path("subsystemName").asText(),
                    f.path("revision").asText("00"), f.path("driver").asText(), strings(f.path("modules")), -1, "D0",
                    "", f.path("bootVga").asBoolean(), List.of(), false, ""));
        }
        return functions;
    }

    private static List<String> strings(JsonNode node) {
        List<String> list = new ArrayList<>();
        node.forEach(v -> list.add(v.asText()));
        return list;
    }

    private static byte[] resource(String name) {
        return DataFile.bytes(FOLDER + name);
    }
}
