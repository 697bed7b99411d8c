package dev.pitwall.store;

import dev.pitwall.card.TroubleException;
import dev.pitwall.site.Supply;
import dev.pitwall.site.ClusterAccess;
import dev.pitwall.site.Endpoint;
import dev.pitwall.site.MetricsAccess;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.ServerAccess;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import dev.pitwall.site.TalosAccess;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads a site as {@link SiteWriter} writes it, and as people write it by hand. */
final class SiteReader {
    private static final Pattern IN_CLUSTER = Pattern.compile("([^/:]+)/([^/:]+):([0-9]{1,5})");
    private static final Pattern HEX_OF_SHA256 = Pattern.compile("[0-9A-F]{64}");
    private static final int SHA256_CHARACTERS = 64;

    private final SiteForm form;
    private final String id;
    private final Path folder;
    private final MemorySecrets secrets;

    /**
     * @param id      the site's id in a file, which holds none; in the kept form the document has it
     * @param folder  what relative paths in a file start from
     * @param secrets gets the secrets of a file
     */
    SiteReader(SiteForm form, String id, Path folder, MemorySecrets secrets) {
        this.form = form;
        this.id = id;
        this.folder = folder;
        this.secrets = secrets;
    }

    Site read(Json json) throws TroubleException {
        Fields site = Fields.of(json);
        List<ProxmoxAccess> proxmox = site.list("proxmox", this::proxmox);
        if (form == SiteForm.FILE) {
            refuseTwice(site, "proxmox");
            refuseTwice(site, "ssh");
            refuseTwice(site, "modelServers");
        }
        Optional<Fields> cluster = site.object("cluster");
        Optional<Fields> metrics = site.object("prometheus");
        Optional<Fields> talos = site.object("talos");
        return new Site(form == SiteForm.KEPT ? site.needText("id", id) : id, site.needText("name", "garage"), proxmox,
                new ShellReader(site).all(),
                cluster.isPresent() ? Optional.of(cluster(cluster.get())) : Optional.empty(),
                metrics.isPresent() ? Optional.of(new MetricsAccess(endpoint(metrics.get()))) : Optional.empty(),
                site.list("modelServers", this::server), sources(site),
                talos.isPresent() ? Optional.of(talos(talos.get())) : Optional.empty(), site.flag("lab"));
    }

    private static Map<String, URI> sources(Fields site) throws TroubleException {
        Optional<Fields> written = site.object("sources");
        Map<String, URI> sources = new HashMap<>();
        if (written.isPresent()) {
            for (String key : written.get().object().fields().keySet()) {
                refuseUnknown(written.get(), key);
                sources.put(key, written.get().url(key));
            }
        }
        return sources;
    }

    private static void refuseUnknown(Fields sources, String key) throws TroubleException {
        if (Supply.of(key).isEmpty()) {
            throw sources.at(key).trouble("\"sources\" names \"" + key + "\", which is nothing that Pitwall fetches",
                    "Name one of " + Arrays.stream(Supply.values()).map(s -> "\"" + s.key() + "\"")
                            .collect(Collectors.joining(", ")) + ".");
        }
    }

    /** Names are how errors, jumps and secrets refer to an entry. */
    private static void refuseTwice(Fields site, String list) throws TroubleException {
        Set<String> names = new HashSet<>();
        for (Fields entry : site.list(list, fields -> fields)) {
            String name = entry.text("name").orElse("");
            if (!name.isEmpty() && !names.add(name)) {
                throw entry.at("name").trouble("\"" + name + "\" is there twice in \"" + list + "\"",
                        "Give every entry a name of its own.");
            }
        }
    }

    private ProxmoxAccess proxmox(Fields fields) throws TroubleException {
        String name = fields.needText("name", "pve1");
        URI url = fields.url("url");
        return new ProxmoxAccess(name, url, proxmoxLogin(fields, name), fingerprint(fields));
    }

    private ProxmoxAccess.Login proxmoxLogin(Fields fields, String name) throws TroubleException {
        Optional<String> token = fields.text("token");
        Optional<String> user = fields.text("user");
        if (token.isPresent() == user.isPresent()) {
            throw fields.at().trouble(token.isPresent() ? "this entry has a \"token\" and a \"user\""
                            : "this entry does not say how to sign in",
                    "Write either \"token\": \"user@realm!name\" with \"secret\", or \"user\": \"root@pam\" with \"password\".");
        }
        if (token.isPresent()) {
            return new ProxmoxAccess.Token(token.get(), secret(fields, "secret", "proxmox/" + name));
        }
        return new ProxmoxAccess.Password(user.orElseThrow(), secret(fields, "password", "proxmox/" + name));
    }

    /** As openssl, Proxmox and browsers print it: with or without colons, in either case. */
    private Optional<String> fingerprint(Fields fields) throws TroubleException {
        Optional<String> written = fields.text("fingerprint");
        if (written.isEmpty() || form == SiteForm.KEPT) {
            return written;
        }
        String hex = written.get().strip().replace(":", "").toUpperCase(Locale.ROOT);
        if (hex.length() != SHA256_CHARACTERS || !HEX_OF_SHA256.matcher(hex).matches()) {
            throw fields.at("fingerprint").trouble("\"fingerprint\" is not a SHA-256 fingerprint (32 bytes in hex)",
                    "Run \"pvenode cert info\" on the host and copy the fingerprint of pveproxy-ssl.pem or pve-ssl.pem.");
        }
        return Optional.of(HexFormat.ofDelimiter(":").withUpperCase().formatHex(HexFormat.of().parseHex(hex)));
    }

    /** Takes the secret out of a file, or the secret's name out of the kept form. */
    private SecretRef secret(Fields fields, String field, String place) throws TroubleException {
        if (form == SiteForm.KEPT) {
            return new SecretRef(fields.needText(field + "Ref", id + "/" + place));
        }
        SecretRef ref = new SecretRef(id + "/" + place);
        fields.text(field).ifPresent(secret -> secrets.put(ref, secret));
        return ref;
    }

    private boolean hasSecret(Fields fields, String field) {
        return fields.names(form == SiteForm.KEPT ? field + "Ref" : field);
    }

    private TalosAccess talos(Fields fields) throws TroubleException {
        String file = fields.needText("talosconfig", "talosconfig");
        return new TalosAccess(path(fields, "talosconfig", file), fields.text("context"));
    }

    private ClusterAccess cluster(Fields fields) throws TroubleException {
        List<String> files = fields.texts("kubeconfig");
        if (files.isEmpty() && form == SiteForm.FILE) {
            throw fields.at().trouble("\"cluster\" names no kubeconfig", "Add \"kubeconfig\": [\"kubeconfig\"].");
        }
        List<Path> paths = new ArrayList<>();
        for (String file : files) {
            paths.add(path(fields, "kubeconfig", file));
        }
        return new ClusterAccess(paths, fields.text("context"));
    }

    private ServerAccess server(Fields fields) throws TroubleException {
        return new ServerAccess(fields.needText("name", "ollama-a"), endpoint(fields), fields.text("node"));
    }

    private static Endpoint endpoint(Fields fields) throws TroubleException {
        if (fields.names("service")) {
            Matcher service = inCluster(fields, "service", "monitoring/prometheus-server:9090");
            return new Endpoint.Service(service.group(1), service.group(2), port(fields, "service", service), scheme(fields));
        }
        if (fields.names("pod")) {
            Matcher pod = inCluster(fields, "pod", "monitoring/prometheus-0:9090");
            return new Endpoint.Pod(pod.group(1), pod.group(2), port(fields, "pod", pod), scheme(fields));
        }
        return new Endpoint.Url(fields.url("url"));
    }

    private static Matcher inCluster(Fields fields, String field, String example) throws TroubleException {
        Matcher parts = IN_CLUSTER.matcher(fields.needText(field, example));
        if (!parts.matches()) {
            throw fields.at(field).trouble("\"" + field + "\" is not of the form namespace/name:port",
                    "Write it like \"" + example + "\".");
        }
        return parts;
    }

    private static int port(Fields fields, String field, Matcher parts) throws TroubleException {
        int port = Integer.parseInt(parts.group(3));
        if (port < 1 || port > 65535) {
            throw fields.at(field).trouble("the port in \"" + field + "\" is " + port, "Write one from 1 to 65535.");
        }
        return port;
    }

    private static String scheme(Fields fields) throws TroubleException {
        String scheme = fields.text("scheme").orElse("http");
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw fields.at("scheme").trouble("\"scheme\" is \"" + scheme + "\"", "Write \"http\" or \"https\".");
        }
        return scheme;
    }

    private Path path(Fields fields, String field, String written) throws TroubleException {
        try {
            if (form == SiteForm.KEPT) {
                return Path.of(written);
            }
            if (written.startsWith("~/")) {
                return Path.of(System.getProperty("user.home")).resolve(written.substring(2));
            }
            return folder.resolve(written).normalize();
        } catch (InvalidPathException e) {
            throw fields.at(field).trouble("\"" + field + "\" cannot be the name of a file", "Correct it.");
        }
    }

    /** Reads the shells; a jump may stand anywhere in the list, also after the entry that uses it. */
    private final class ShellReader {
        private final List<Fields> entries;
        private final Set<String> onTheWay = new HashSet<>();

        ShellReader(Fields site) throws TroubleException {
            this.entries = site.list("ssh", fields -> fields);
        }

        List<ShellAccess> all() throws TroubleException {
            List<ShellAccess> shells = new ArrayList<>();
            for (Fields entry : entries) {
                shells.add(shell(entry));
            }
            return shells;
        }

        private ShellAccess shell(Fields fields) throws TroubleException {
            String host = fields.needText("host", "192.168.1.10");
            String name = fields.text("name").orElse(host);
            return new ShellAccess(name, fields.word("role", ShellAccess.Role.class).orElse(ShellAccess.Role.NODE), host,
                    fields.port("port", 22), fields.text("user").orElse("root"), login(fields, name), hostKey(fields),
                    jump(fields, name));
        }

        private ShellAccess.Login login(Fields fields, String name) throws TroubleException {
            Optional<String> keyFile = fields.text("keyFile");
            boolean password = hasSecret(fields, "password");
            boolean agent = fields.flag("agent");
            if ((keyFile.isPresent() ? 1 : 0) + (password ? 1 : 0) + (agent ? 1 : 0) != 1) {
                throw fields.at().trouble("the entry \"" + name + "\" must say one way to sign in",
                        "Write one of \"keyFile\": \"id_ed25519\", \"agent\": true, \"password\": \"…\".");
            }
            if (keyFile.isPresent()) {
                return new ShellAccess.KeyFile(path(fields, "keyFile", keyFile.get()),
                        hasSecret(fields, "passphrase")
                                ? Optional.of(secret(fields, "passphrase", "ssh/" + name + "/passphrase"))
                                : Optional.empty());
            }
            return password ? new ShellAccess.Password(secret(fields, "password", "ssh/" + name)) : new ShellAccess.Agent();
        }

        private Optional<String> hostKey(Fields fields) throws TroubleException {
            Optional<String> key = fields.text("hostKey");
            if (key.isPresent() && form == SiteForm.FILE && !key.get().startsWith("SHA256:")) {
                throw fields.at("hostKey").trouble("\"hostKey\" does not begin with SHA256:",
                        "Run \"ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\" on the machine and copy its second word.");
            }
            return key;
        }

        private Optional<ShellAccess> jump(Fields fields, String name) throws TroubleException {
            if (!fields.names("jump")) {
                return Optional.empty();
            }
            Json written = fields.object().fields().get("jump");
            return switch (written) {
                case Json.Null _ -> Optional.empty();
                case Json.Obj inside -> Optional.of(shell(new Fields(inside)));
                default -> Optional.of(named(fields, name, fields.needText("jump", "bastion")));
            };
        }

        private ShellAccess named(Fields fields, String name, String jump) throws TroubleException {
            if (!onTheWay.add(name)) {
                throw fields.at("jump").trouble("the jumps go in a circle: \"" + name + "\" is reached through itself",
                        "Give one of the entries no \"jump\".");
            }
            try {
                for (Fields entry : entries) {
                    if (entry.text("name").or(() -> hostOf(entry)).filter(jump::equals).isPresent()) {
                        return shell(entry);
                    }
                }
            } finally {
                onTheWay.remove(name);
            }
            throw fields.at("jump").trouble("\"jump\" names \"" + jump + "\", and no entry in \"ssh\" has that name",
                    "Add the entry, or correct the name.");
        }

        private Optional<String> hostOf(Fields entry) {
            return switch (entry.object().fields().get("host")) {
                case Json.Text text -> Optional.of(text.value());
                case null, default -> Optional.empty();
            };
        }
    }
}
