package dev.pitwall.lab.proxmox;

import java.util.Collection;
import java.util.Optional;

/**
 * Who may set or delete which option of a VM. [facts: proxmox.md 1.4; qemu-server API2/Qemu.pm
 * check_vm_modify_config_perm, check_hostpci_perm]
 */
final class ConfigRights {
    private final Rights rights;
    private final ConfigOptions options;

    ConfigRights(Rights rights, ConfigOptions options) {
        this.rights = rights;
        this.options = options;
    }

    /** What does not depend on the value: checked before there is a task. */
    void check(Caller who, int vmid, PveVersion version, Collection<String> names) throws PveError {
        if (Rights.isRoot(who)) {
            return;
        }
        for (String name : names) {
            if (decidedByValue(name, version)) {
                continue;
            }
            Optional<String> privilege = options.privilege(name);
            if (privilege.isEmpty()) {
                throw PveError.died("only root can set '" + name + "' config");
            }
            if (privilege.get().equals("VM.Config.Cloudinit") && rights.has(who, "/vms/" + vmid, "VM.Config.Network")) {
                continue;
            }
            rights.need(who, "/vms/" + vmid, privilege.get());
            if (name.equals("startup")) {
                // It changes how the host behaves.
                rights.need(who, "/", "Sys.Modify");
            }
        }
    }

    /** What depends on the value, the old and the new one alike: checked where the change is made. */
    void checkValue(Caller who, int vmid, String name, String value, String verb) throws PveError {
        if (Rights.isRoot(who)) {
            return;
        }
        String vm = "/vms/" + vmid;
        if (options.isDrive(name) || options.stem(name).equals("unused")) {
            rights.need(who, vm, value.contains("media=cdrom") ? "VM.Config.CDROM" : "VM.Config.Disk");
        }
        switch (options.stem(name)) {
            case "hostpci" -> hostpci(who, vm, name, value);
            case "serial" -> {
                if (!value.equals("socket")) {
                    throw PveError.died("only root can " + verb + " '" + name + "' config for real devices");
                }
                rights.need(who, vm, "VM.Config.HWType");
            }
            case "usb" -> {
                Optional<String> mapping = PropertyString.read(value, "host").get("mapping");
                if (mapping.isEmpty() && !value.startsWith("spice")) {
                    throw PveError.died("only root can set '" + name + "' config for real devices");
                }
                rights.need(who, vm, "VM.Config.HWType");
            }
            case "virtiofs" -> {
                rights.need(who, vm, "VM.Config.Disk");
                rights.need(who, "/mapping/dir/" + PropertyString.read(value, "dirid").get("dirid").orElse(""), "Mapping.Use");
            }
            default -> { }
        }
    }

    private void hostpci(Caller who, String vm, String name, String value) throws PveError {
        PropertyString device = PropertyString.read(value, "host");
        if (device.get("host").isPresent()) {
            throw PveError.died("only root can set '" + name + "' config for non-mapped devices");
        }
        Optional<String> mapping = device.get("mapping");
        if (mapping.isEmpty()) {
            throw PveError.died("either 'host' or 'mapping' must be set.");
        }
        rights.need(who, "/mapping/pci/" + mapping.get(), "Mapping.Use");
        rights.need(who, vm, "VM.Config.HWType");
        if (device.get("romfile").isPresent()) {
            throw PveError.parameter(name, "only root@pam can set 'romfile' option");
        }
    }

    /** Before 8.0 there were no mappings, and every device was root's. */
    private boolean decidedByValue(String name, PveVersion version) {
        String stem = options.stem(name);
        return options.isDrive(name) || switch (stem) {
            case "unused", "serial", "usb", "virtiofs" -> true;
            case "hostpci" -> version.major() >= 8;
            default -> false;
        };
    }
}
