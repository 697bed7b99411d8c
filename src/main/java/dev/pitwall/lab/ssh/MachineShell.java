package dev.pitwall.lab.ssh;

import dev.pitwall.lab.ssh.shell.Shell;
import dev.pitwall.lab.world.GuestShell;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The machines' shell and files for those who come another way than SSH, as a guest agent does. */
public final class MachineShell implements GuestShell {
    private static final Logger LOG = LoggerFactory.getLogger(MachineShell.class);

    private final SshServers machines;

    public MachineShell(SshServers machines) {
        this.machines = machines;
    }

    @Override
    public Optional<Ended> run(String machine, List<String> command, String input) {
        return machines.machine(machine).map(found -> run(found, command, input));
    }

    @Override
    public Optional<byte[]> read(String machine, String path) {
        return machines.machine(machine).flatMap(found -> {
            try {
                return Optional.of(found.files().view().read(path));
            } catch (FileTrouble e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public boolean write(String machine, String path, byte[] content) {
        return machines.machine(machine).filter(found -> {
            try {
                found.files().write(path, content);
                return true;
            } catch (FileTrouble e) {
                return false;
            }
        }).isPresent();
    }

    /** Each argument is quoted: no shell reads it, as with the agent. */
    private Ended run(Machine machine, List<String> command, String input) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String line = command.stream().map(part -> "'" + part.replace("'", "'\\''")
                + "'").collect(Collectors.joining(" "));
        try {
            int status = new Shell(machine, machines.commands()).run(line,
                    new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), out, err);
            return new Ended(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.debug("a command of the guest agent failed on {}", machine.name(), e);
            return new Ended(1, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }
}
