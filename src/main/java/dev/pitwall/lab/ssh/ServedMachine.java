package dev.pitwall.lab.ssh;

import java.security.KeyPair;

/** A machine with its port and host key. */
record ServedMachine(Machine machine, KeyPair hostKey, SshPort port) {
}
