package dev.pitwall.link.ssh;

import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.SshAgentFactory;
import org.apache.sshd.agent.SshAgentServer;
import org.apache.sshd.agent.local.AgentImpl;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.session.ConnectionService;
import org.apache.sshd.common.session.Session;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Gives the agent to those sessions whose login uses it, and an empty one to the others. Never forwards it. */
final class Agents implements SshAgentFactory {
    /** On a session that signs in by agent: the agent's socket. */
    static final AttributeKey<Path> SOCKET = new AttributeKey<>();

    @Override
    public SshAgent createClient(Session session, FactoryManager manager) throws IOException {
        Path socket = session == null ? null : session.getAttribute(SOCKET);
        return socket == null ? new AgentImpl() : AgentSocket.open(socket);
    }

    @Override
    public List<ChannelFactory> getChannelForwardingFactories(FactoryManager manager) {
        return List.of();
    }

    @Override
    public SshAgentServer createServer(ConnectionService service) {
        throw new UnsupportedOperationException("the agent is not forwarded");
    }
}
