package dev.pitwall.link.kube;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.kube.Kubeconfig.Cluster;
import dev.pitwall.link.kube.Kubeconfig.Context;
import dev.pitwall.link.kube.Kubeconfig.Exec;
import dev.pitwall.link.kube.Kubeconfig.Material;
import dev.pitwall.link.kube.Kubeconfig.Place;
import dev.pitwall.link.kube.Kubeconfig.User;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads kubeconfig files and merges them as kubectl does: the first file that names an entry wins, and the first
 * file that has a current-context gives it. client-java takes one file only and knows no lines, hence this class.
 */
final class KubeconfigReader {
    private final Map<String, Cluster> clusters = new LinkedHashMap<>();
    private final Map<String, User> users = new LinkedHashMap<>();
    private final Map<String, Context> contexts = new LinkedHashMap<>();
    private final List<Path> found = new ArrayList<>();
    private Optional<String> current = Optional.empty();

    private KubeconfigReader() {
    }

    /**
     * @param files in order of precedence; files that do not exist are left out unless none exists
     * @throws TroubleException with file and line if a file cannot be read or understood
     */
    static Kubeconfig read(List<Path> files) throws TroubleException {
        KubeconfigReader reader = new KubeconfigReader();
        for (Path file : files) {
            if (!Files.notExists(file)) {
                reader.add(file);
            }
        }
        if (reader.found.isEmpty()) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING,
                    files.isEmpty() ? "kubeconfig" : String.join(", ", files.stream().map(HomePath::shorten).toList()),
                    "there is no such file",
                    "Choose another kubeconfig, or copy it again from the cluster."));
        }
        return new Kubeconfig(List.copyOf(reader.found), reader.clusters, reader.users, reader.contexts,
                reader.current);
    }

    private void add(Path file) throws TroubleException {
        Optional<YamlPlace> root = compose(file);
        found.add(file);
        if (root.isEmpty()) {
            return;
        }
        YamlPlace top = root.get();
        refuseOtherFiles(file, top);
        entries(file, top, "clusters", "cluster", clusters, KubeconfigReader::cluster);
        entries(file, top, "users", "user", users, KubeconfigReader::user);
        entries(file, top, "contexts", "context", contexts, KubeconfigReader::context);
        current = current.or(() -> top.text("current-context"));
    }

    private static Optional<YamlPlace> compose(Path file) throws TroubleException {
        if (Files.isDirectory(file)) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, HomePath.shorten(file), "it is a folder",
                    "Choose the kubeconfig file in it."));
        }
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(16 * 1024 * 1024);
        try (var text = Files.newBufferedReader(file)) {
            Node node = new Yaml(options).compose(text);
            return Optional.ofNullable(node).map(YamlPlace::new);
        } catch (MarkedYAMLException broken) {
            throw new TroubleException(YamlTroubles.broken(file, broken), broken);
        } catch (YAMLException | MalformedInputException notText) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, HomePath.shorten(file),
                    "it is not a text file in YAML", "Choose a kubeconfig file."), notText);
        } catch (AccessDeniedException denied) {
            throw new TroubleException(KubeconfigFiles.unreadable(file), denied);
        } catch (NoSuchFileException gone) {
            throw new TroubleException(new Trouble(Trouble.Kind.MISSING, HomePath.shorten(file),
                    "there is no such file", "Choose another kubeconfig."), gone);
        } catch (IOException failed) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, HomePath.shorten(file),
                    "the file cannot be read", "Choose a kubeconfig file."), failed);
        }
    }

    /** talosctl keeps a file with {@code context} and a mapping {@code contexts}: people offer it by mistake. */
    private static void refuseOtherFiles(Path file, YamlPlace top) throws TroubleException {
        if (top.at("contexts").filter(YamlPlace::mapping).isPresent() && top.at("context").isPresent()) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, HomePath.shorten(file),
                    "this is talosctl's own configuration, not a kubeconfig",
                    "Run \"talosctl kubeconfig ~/.talos/kubeconfig\" and choose that file."));
        }
        boolean kubeconfig = top.text("kind").map("Config"::equals).orElse(true)
                && (top.at("clusters").isPresent() || top.at("contexts").isPresent() || top.at("users").isPresent()
                || top.at("current-context").isPresent() || top.text("kind").isPresent());
        if (!top.mapping() || !kubeconfig) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE,
                    HomePath.shorten(file) + " line " + top.line(),
                    "this is not a kubeconfig: it has no clusters, users or contexts", "Choose a kubeconfig file."));
        }
    }

    /** A named entry: {@code - name: x} with the body under its own key. */
    private interface Entry<T> {
        T read(String name, YamlPlace body, Place place) throws TroubleException;
    }

    private static <T> void entries(Path file, YamlPlace top, String list, String key, Map<String, T> into,
                                    Entry<T> entry) throws TroubleException {
        Optional<YamlPlace> there = top.at(list);
        if (there.isPresent() && there.get().mapping()) {
            throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE,
                    HomePath.shorten(file) + " line " + there.get().line(), "\"" + list + "\" must be a list",
                    "Start each entry with \"- name:\"."));
        }
        for (YamlPlace item : top.list(list)) {
            Place place = new Place(file, item.line());
            Optional<String> name = item.text("name");
            if (name.isEmpty()) {
                throw new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, place.text(),
                        "an entry of \"" + list + "\" has no name", "Give it a \"name:\"."));
            }
            if (!into.containsKey(name.get())) {
                into.put(name.get(), entry.read(name.get(), item.at(key).orElse(item), place));
            }
        }
    }

    private static Cluster cluster(String name, YamlPlace body, Place place) throws TroubleException {
        String server = body.text("server").orElseThrow(() -> new TroubleException(new Trouble(
                Trouble.Kind.UNREADABLE, place.text(), "cluster \"" + name + "\" has no server",
                "Add \"server: https://HOST:6443\".")));
        return new Cluster(name, server, material(body, "certificate-authority"),
                body.flag("insecure-skip-tls-verify"), body.text("tls-server-name"), body.text("proxy-url"), place);
    }

    private static User user(String name, YamlPlace body, Place place) throws TroubleException {
        Optional<Exec> exec = Optional.empty();
        if (body.at("exec").isPresent()) {
            exec = Optional.of(exec(name, body.at("exec").get(), place.file()));
        }
        return new User(name, material(body, "client-certificate"), material(body, "client-key"), body.text("token"),
                body.text("tokenFile"), body.text("username"), body.text("password"), exec,
                body.at("auth-provider").map(provider -> provider.text("name").orElse("of unknown kind")),
                impersonation(body), place);
    }

    private static Context context(String name, YamlPlace body, Place place) {
        return new Context(name, body.text("cluster").orElse(""), body.text("user").orElse(""),
                body.text("namespace"), place);
    }

    private static Material material(YamlPlace body, String key) {
        return new Material(body.text(key + "-data"), body.text(key));
    }

    private static List<Map.Entry<String, String>> impersonation(YamlPlace body) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        body.text("as").ifPresent(user -> headers.add(Map.entry("Impersonate-User", user)));
        body.text("as-uid").ifPresent(uid -> headers.add(Map.entry("Impersonate-Uid", uid)));
        body.texts("as-groups").forEach(group -> headers.add(Map.entry("Impersonate-Group", group)));
        return headers;
    }

    private static Exec exec(String user, YamlPlace body, Path file) throws TroubleException {
        Place place = new Place(file, body.line());
        String command = body.text("command").orElseThrow(() -> new TroubleException(new Trouble(
                Trouble.Kind.UNREADABLE, place.text(), "the exec plugin of user \"" + user + "\" names no command",
                "Add \"command:\".")));
        Map<String, String> env = new LinkedHashMap<>();
        body.list("env").forEach(entry -> entry.text("name")
                .ifPresent(name -> env.put(name, entry.text("value").orElse(""))));
        Exec.Interactive interactive = switch (body.text("interactiveMode").orElse("")) {
            case "Never" -> Exec.Interactive.NEVER;
            case "IfAvailable" -> Exec.Interactive.IF_AVAILABLE;
            case "Always" -> Exec.Interactive.ALWAYS;
            default -> Exec.Interactive.UNSAID;
        };
        return new Exec(body.text("apiVersion").orElse(""), command, body.texts("args"), env,
                body.text("installHint"), interactive, body.flag("provideClusterInfo"));
    }
}
