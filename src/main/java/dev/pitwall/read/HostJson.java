package dev.pitwall.read;

import dev.pitwall.card.PciAddress;
import dev.pitwall.card.PciFunction;
import dev.pitwall.card.VmReport;

import java.util.List;
import java.util.Optional;

/** JSON of what a host says. */
final class HostJson {

    void lspci(Out out, PciListing listing) {
        out.list("devices", listing.devices(), HostJson::device);
    }

    /** {@code class} is the code; its name where only that was printed. */
    private static Out device(PciFunction f) {
        return new Out().text("address", f.address().toString())
                .text("class", f.classCode().or(f::className))
                .text("vendorDevice", f.vendorDevice())
                .text("name", f.name())
                .text("subsystem", f.subsystemId())
                .text("driver", f.driver())
                .textsIfAny("modules", f.modules())
                .text("className", f.className())
                .text("revision", f.revision())
                .number("iommuGroup", f.iommuGroup());
    }

    void groups(Out out, IommuGroups groups) {
        out.list("groups", groups.groups(), g -> new Out().number("group", g.group())
                .list("devices", g.devices(), HostJson::device));
    }

    void kernelLog(Out out, KernelLog log) {
        KernelLog.Iommu iommu = log.iommu();
        out.object("iommu", new Out().text("state", iommu.state().wireName()).text("vendor", iommu.vendor())
                .flag("interruptRemapping", iommu.interruptRemapping()).flag("acsOverride", iommu.acsOverride()));
        out.list("bars", log.bars(), b -> new Out().number("line", b.line()).text("address", b.address().toString())
                .text("name", b.name()).text("type", b.type()).text("start", "0x" + Long.toHexString(b.start()))
                .number("bytes", b.bytes()).flag("wide", b.wide()).flag("prefetchable", b.prefetchable()));
        out.list("events", log.events(), e -> new Out().number("line", e.line()).text("what", e.what())
                .text("address", e.address()).number("number", e.number()).text("value", e.value()).text("text", e.text()));
    }

    void commandLine(Out out, KernelCommandLine line) {
        out.text("bootloader", line.loader().wireName()).text("editFile", line.loader().file())
                .text("intelIommu", line.value("intel_iommu")).text("amdIommu", line.value("amd_iommu"))
                .text("iommu", line.value("iommu"))
                .text("vfioIds", line.value("vfio-pci.ids").or(() -> line.value("vfio_pci.ids")))
                .texts("options", line.options());
    }

    void bootTool(Out out, BootTool tool) {
        out.text("bootedWith", tool.bootedWith()).text("bootloader", tool.loader().wireName())
                .flag("managed", tool.managed())
                .list("partitions", tool.partitions(), p -> new Out().text("uuid", p.uuid()).text("mode", p.mode())
                        .texts("kernels", p.kernels()))
                .texts("warnings", tool.warnings());
    }

    void vmConfig(Out out, VmConfig vm) {
        out.map("settings", Optional.of(vm.values()))
                .list("pending", vm.pending(), p -> new Out().text("key", p.key())
                        .text("action", Text.lower(p.action().name()))
                        .text("value", p.value().isEmpty() ? Optional.empty() : Optional.of(p.value())))
                .list("passthrough", vm.passthrough(), HostJson::passthrough)
                .texts("slots", vm.slots());
    }

    private static Out passthrough(VmReport.Passthrough p) {
        return new Out().text("key", p.key()).texts("addresses", p.addresses().stream().map(PciAddress::toString).toList())
                .text("mapping", p.mapping()).flag("pcie", p.pcie());
    }

    void task(Out out, TaskLog log) {
        out.text("outcome", log.outcome().map(TaskLog.Outcome::wireName))
                .list("lines", log.lines(), l -> new Out().number("line", l.line()).text("severity", l.severity())
                        .number("vmid", l.vmid()).text("text", l.text()));
    }

    void modules(Out out, LoadedModules modules) {
        out.list("modules", modules.modules(), m -> new Out().text("name", m.name()).number("bytes", m.bytes())
                .number("users", m.users()).texts("usedBy", m.usedBy()));
    }

    void containerd(Out out, ContainerdConfig config) {
        out.object("runtime", new Out().number("version", config.version())
                .text("defaultRuntime", config.defaultRuntime())
                .list("runtimes", config.runtimes(), r -> new Out().text("name", r.name()).text("type", r.type())
                        .text("binary", r.binary()).flag("systemdCgroup", r.systemdCgroup()))
                .flag("cdiEnabled", config.cdiEnabled()).textsIfAny("cdiSpecDirs", config.cdiSpecDirs())
                .flag("criDisabled", config.criDisabled()).textsIfAny("disabledPlugins", config.disabledPlugins().orElse(List.of()))
                .texts("imports", config.imports()).text("root", config.root()).text("state", config.state())
                .text("address", config.address()));
    }
}
