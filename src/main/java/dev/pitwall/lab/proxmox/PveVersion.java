package dev.pitwall.lab.proxmox;

import dev.pitwall.lab.world.LabHost;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A release of Proxmox VE, as {@code 7.4-17} or {@code 8.4.14} name it. */
record PveVersion(int major, int minor) {
    private static final Pattern TEXT = Pattern.compile("(\\d+)\\.(\\d+).*");

    static PveVersion of(LabHost host) {
        Matcher matcher = TEXT.matcher(host.pveVersion);
        if (!matcher.matches()) {
            throw new IllegalStateException(host.name + " has no Proxmox version: " + host.pveVersion);
        }
        return new PveVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    boolean atLeast(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || major == wantedMajor && minor >= wantedMinor;
    }
}
