package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.net.LabAuthority;
import dev.pitwall.lab.world.LabHost;
import dev.pitwall.lab.world.LabPci;
import dev.pitwall.lab.world.LabVm;
import dev.pitwall.lab.world.RootDisk;
import dev.pitwall.lab.world.World;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A node: version, state, PCI devices, certificates, packages. [facts: proxmox.md 1.5, 1.6] */
final class NodeCalls {
    private static final String PCI_CLASSES_LEFT_OUT = "05;06;0b";
    private static final String BUILD = "b502d23c55afcba1";

    private static final List<Map<String, String>> MACHINES = Stream.of("9.2", "9.1", "9.0", "8.2", "8.1").flatMap(version ->
            Stream.of(Map.of("id", "pc-q35-" + version, "type", "q35", "version", version),
                    Map.of("id", "pc-i440fx-" + version, "type", "i440fx", "version", version))).toList();

    private final World world;
    private final LabAuthority authority;

    NodeCalls(World world, LabAuthority authority) {
        this.world = world;
        this.authority = authority;
    }

    void addTo(RouteTable routes) {
        routes.add("GET /version", this::version);
        routes.add("GET /nodes/{node}/version", this::version);
        routes.add("GET /nodes/{node}/status", this::status);
        routes.add("GET /nodes/{node}/hardware/pci", this::pci);
        routes.add("GET /nodes/{node}/certificates/info", this::certificates);
        routes.add("GET /nodes/{node}/apt/versions", this::packages);
        routes.add("GET /nodes/{node}/time", this::time);
        routes.add("GET /nodes/{node}/config", this::options);
        routes.add("PUT /nodes/{node}/config", this::setOptions);
        routes.add("GET /nodes/{node}/capabilities/qemu/machines", call -> MACHINES);
        routes.add("GET /nodes/{node}", call -> Stream.of("apt", "capabilities", "certificates", "config", "hardware", "lxc",
                "qemu", "startall", "status", "stopall", "storage", "tasks", "time", "version", "vzdump", "wakeonlan")
                .map(name -> Map.of("name", name)).toList());
        routes.add("GET /nodes/{node}/hardware", call -> List.of(Map.of("type", "pci")));
    }

    private Object version(ApiCall call) {
        String version = world.read(w -> w.hosts.get(call.node()).pveVersion);
        return Map.of("version", version, "release", version.replaceFirst("^(\\d+\\.\\d+).*", "$1"),
                "repoid", BUILD, "console", "html5");
    }

    private Object status(ApiCall call) {
        return world.read(w -> {
            LabHost host = w.hosts.get(call.node());
            double load = load(w, host);
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("uptime", uptime(w, host));
            data.put("pveversion", "pve-manager/" + host.pveVersion + "/" + BUILD);
            data.put("kversion", "Linux " + host.kernel + " " + kernelBuild(host));
            PveVersion version = PveVersion.of(host);
            if (version.atLeast(8, 1)) {
                data.put("current-kernel", Map.of("sysname", "Linux", "release", host.kernel, "version",
                        kernelBuild(host), "machine", "x86_64"));
                data.put("boot-info", host.efi ? Map.of("mode", "efi", "secureboot", host.secureBoot ? 1 : 0)
                        : Map.of("mode", "legacy-bios"));
            }
            data.put("cpu", load);
            data.put("wait", 0);
            data.put("idle", 0);
            data.put("loadavg", List.of(load(load, host), load(load, host), load(load, host)));
            data.put("cpuinfo", cpu(host));
            Map<String, Object> memory = new LinkedHashMap<>(share(host.memoryBytes, memoryUsed(w, host)));
            if (version.major() >= 9) {
                memory.put("available", memory.get("free"));
            }
            data.put("memory", memory);
            data.put("swap", share(8L << 30, 0));
            data.put("rootfs", rootfs(host));
            data.put("ksm", Map.of("shared", 0));
            return data;
        });
    }

    private static Map<String, Object> cpu(LabHost host) {
        boolean intel = host.cpuVendor.equals("GenuineIntel");
        String hardware = host.virtualization ? (intel ? " vmx" : " svm") : "";
        Map<String, Object> cpu = new LinkedHashMap<>();
        cpu.put("model", host.cpuModel);
        cpu.put("vendor", host.cpuVendor);
        cpu.put("sockets", 1);
        cpu.put("cores", host.cpuThreads);
        cpu.put("cpus", host.cpuThreads);
        cpu.put("hvm", host.virtualization ? "1" : "0");
        cpu.put("flags", "fpu de pse tsc msr pae mce cx8 apic sep pge cmov pat clflush mmx fxsr sse sse2 ht syscall nx "
                + "pdpe1gb rdtscp lm constant_tsc aes avx avx2" + hardware);
        cpu.put("user_hz", 100);
        return cpu;
    }

    private Object pci(ApiCall call) {
        List<String> leftOut = Arrays.stream(call.text("pci-class-blacklist").orElse(PCI_CLASSES_LEFT_OUT)
                .split("[;, \\x00]+")).filter(prefix -> !prefix.isEmpty()).toList();
        boolean verbose = call.flag("verbose", true);
        return world.read(w -> w.hosts.get(call.node()).pci.stream()
                .filter(function -> leftOut.stream().noneMatch(function.classCode::startsWith))
                .map(function -> pci(function, verbose)).toList());
    }

    private static Map<String, Object> pci(LabPci function, boolean verbose) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", function.address);
        if (verbose) {
            data.put("class", "0x" + function.classCode);
            data.put("vendor", "0x" + function.vendorId);
            data.put("device", "0x" + function.deviceId);
            put(data, "vendor_name", function.vendorName);
            put(data, "device_name", function.deviceName);
            if (!function.subsystemVendor.isEmpty()) {
                data.put("subsystem_vendor", "0x" + function.subsystemVendor);
                data.put("subsystem_device", "0x" + function.subsystemDevice);
                put(data, "subsystem_device_name", function.subsystemName);
            }
            data.put("iommugroup", function.iommuGroup);
        }
        return data;
    }

    private Object certificates(ApiCall call) {
        return List.of(certificate("pve-root-ca.pem", authority.caCertificate()),
                certificate("pve-ssl.pem", authority.leaf(call.node())));
    }

    private static Map<String, Object> certificate(String file, X509Certificate certificate) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("filename", file);
        data.put("fingerprint", LabAuthority.fingerprint(certificate));
        data.put("subject", certificate.getSubjectX500Principal().getName());
        data.put("issuer", certificate.getIssuerX500Principal().getName());
        data.put("notbefore", certificate.getNotBefore().toInstant().getEpochSecond());
        data.put("notafter", certificate.getNotAfter().toInstant().getEpochSecond());
        data.put("public-key-type", "id-ecPublicKey");
        data.put("public-key-bits", ((ECPublicKey) certificate.getPublicKey()).getParams().getOrder().bitLength());
        data.put("san", names(certificate));
        data.put("pem", LabAuthority.certificatePem(certificate));
        return data;
    }

    private static List<String> names(X509Certificate certificate) {
        try {
            return Optional.ofNullable(certificate.getSubjectAlternativeNames()).stream().flatMap(all -> all.stream())
                    .map(name -> String.valueOf(name.get(1))).toList();
        } catch (CertificateParsingException e) {
            throw new IllegalStateException("a certificate of the lab's own cannot be read", e);
        }
    }

    private Object time(ApiCall call) {
        return world.read(w -> Map.of("timezone", "UTC", "time", w.clock().instant().getEpochSecond(), "localtime",
                w.clock().instant().getEpochSecond()));
    }

    private Object options(ApiCall call) {
        return world.read(w -> {
            LabHost host = w.hosts.get(call.node());
            Map<String, Object> data = new LinkedHashMap<>(host.options);
            data.put("digest", Vms.sha1(host.options.toString()));
            return call.text("property").<Object>map(name -> host.options.containsKey(name)
                    ? Map.of(name, host.options.get(name)) : Map.of()).orElse(data);
        });
    }

    private Object setOptions(ApiCall call) throws PveError {
        return new Changes(world).make(w -> {
            LabHost host = w.hosts.get(call.node());
            if (call.text("digest").filter(digest -> !digest.equals(Vms.sha1(host.options.toString()))).isPresent()) {
                throw PveError.died("detected modified configuration - file changed by other user? Try again.");
            }
            host.options.putAll(call.without(Set.of("node", "digest", "delete")));
            call.list("delete").forEach(host.options::remove);
            return null;
        });
    }

    private Object packages(ApiCall call) {
        return world.read(w -> {
            LabHost host = w.hosts.get(call.node());
            String release = host.pveVersion.replaceFirst("^(\\d+\\.\\d+).*", "$1");
            Map<String, Object> manager = installed("pve-manager", host.pveVersion);
            manager.put("ManagerVersion", "pve-manager/" + host.pveVersion + "/" + BUILD);
            manager.put("RunningKernel", host.kernel);
            return List.of(installed("proxmox-ve", release + ".0"), manager,
                    installed("proxmox-kernel-" + host.kernel + "-signed", host.kernel.replaceFirst("-pve$", "")));
        });
    }

    private static Map<String, Object> installed(String name, String version) {
        return new LinkedHashMap<>(Map.of("Package", name, "Title", name, "Version", version, "OldVersion", version,
                "CurrentState", "Installed", "Origin", "Proxmox", "Arch", "amd64", "Section", "admin",
                "Priority", "optional", "Description", ""));
    }

    static long uptime(World world, LabHost host) {
        return Duration.between(host.bootedAt, world.clock().instant()).toSeconds();
    }

    /** Share of its threads that a host's VMs keep busy. */
    static double load(World world, LabHost host) {
        return host.busyThreads(world) / Math.max(1, host.cpuThreads);
    }

    static long memoryUsed(World world, LabHost host) {
        long guests = world.vms.values().stream().filter(vm -> vm.host.equals(host.name))
                .filter(Vms::runs).mapToLong(NodeCalls::held).sum();
        return Math.min(host.memoryBytes, guests + (2L << 30));
    }

    /** A VM with a passed-through device has all its memory pinned. [facts: proxmox.md 1.9] */
    private static long held(LabVm vm) {
        long memory = Vms.memory(vm.running) << 20;
        return Vms.passesDevices(vm.running) ? memory : Math.round(memory * vm.memoryShare);
    }

    private static String load(double share, LabHost host) {
        return String.format("%.2f", share * host.cpuThreads);
    }

    private static String kernelBuild(LabHost host) {
        return "#1 SMP PREEMPT_DYNAMIC PMX " + host.kernel.replaceFirst("-pve$", "");
    }

    private static Map<String, Object> share(long total, long used) {
        return Map.of("total", total, "used", used, "free", total - used);
    }

    private static Map<String, Object> rootfs(LabHost host) {
        RootDisk disk = RootDisk.ofPhysical(host.efi);
        Map<String, Object> rootfs = new LinkedHashMap<>(share(disk.rootBytes(), disk.usedBytes()));
        rootfs.put("avail", disk.availableBytes());
        return rootfs;
    }

    private static void put(Map<String, Object> data, String key, String value) {
        if (!value.isEmpty()) {
            data.put(key, value);
        }
    }
}
