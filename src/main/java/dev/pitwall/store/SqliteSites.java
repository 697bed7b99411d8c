package dev.pitwall.store;

import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;
import dev.pitwall.site.ProxmoxAccess;
import dev.pitwall.site.SecretRef;
import dev.pitwall.site.Secrets;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.site.Site;
import dev.pitwall.site.Sites;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The saved sites, in the database. Pinned certificates and host keys are part of a site's accesses. A secret that no
 * access names any more is removed with the access.
 */
public final class SqliteSites implements Sites {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteSites.class);
    private static final SiteWriter WRITER = new SiteWriter(SiteForm.KEPT, Path.of(""));

    private final Database database;
    private final Secrets secrets;

    /** @param secrets where the secrets of saved sites are */
    public SqliteSites(Database database, Secrets secrets) {
        this.database = database;
        this.secrets = secrets;
    }

    @Override
    public List<Site> all() throws TroubleException {
        return database.read(connection -> {
            try (PreparedStatement statement =
                         connection.prepareStatement("SELECT name, document FROM site ORDER BY name COLLATE NOCASE, name");
                 ResultSet rows = statement.executeQuery()) {
                List<Site> sites = new ArrayList<>();
                while (rows.next()) {
                    sites.add(site(rows));
                }
                return List.copyOf(sites);
            }
        });
    }

    @Override
    public Optional<Site> byName(String name) throws TroubleException {
        return database.read(connection -> one(connection, "SELECT name, document FROM site WHERE name = ?", name));
    }

    /** @throws TroubleException also if another site has the name */
    @Override
    public void save(Site site) throws TroubleException {
        String document = WRITER.write(site);
        // What could not be read back (an empty name, say) must not get in: it would stand in the way of every other site.
        read("the site", document);
        Optional<Site> before = database.write(connection -> {
            Optional<Site> old = byId(connection, site.id());
            refuseTakenName(connection, site);
            try (PreparedStatement statement = connection.prepareStatement("""
                    INSERT INTO site (id, name, document) VALUES (?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET name = excluded.name, document = excluded.document""")) {
                statement.setString(1, site.id());
                statement.setString(2, site.name());
                statement.setString(3, document);
                statement.executeUpdate();
            }
            return old;
        });
        Set<SecretRef> gone = new HashSet<>();
        before.ifPresent(old -> gone.addAll(secretsOf(old)));
        gone.removeAll(secretsOf(site));
        removeSecrets(gone);
    }

    private void refuseTakenName(Connection connection, Site site) throws SQLException, TroubleException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1 FROM site WHERE name = ? AND id <> ?")) {
            statement.setString(1, site.name());
            statement.setString(2, site.id());
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    throw new TroubleException(new Trouble(Trouble.Kind.REMOTE, "saved sites",
                            "there is already a site with the name \"" + site.name() + "\"",
                            "Choose another name, or remove that site first."));
                }
            }
        }
    }

    @Override
    public void remove(String id) throws TroubleException {
        Optional<Site> before = database.write(connection -> {
            Optional<Site> old = byId(connection, id);
            for (String sql : List.of("DELETE FROM site WHERE id = ?", "DELETE FROM observation WHERE site_id = ?")) {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setString(1, id);
                    statement.executeUpdate();
                }
            }
            return old;
        });
        removeSecrets(before.map(SqliteSites::secretsOf).orElse(Set.of()));
    }

    /** Every secret the site names, its jumps' included. */
    static Set<SecretRef> secretsOf(Site site) {
        Set<SecretRef> refs = new HashSet<>();
        for (ProxmoxAccess access : site.proxmox()) {
            refs.add(switch (access.login()) {
                case ProxmoxAccess.Token(String _, SecretRef secret) -> secret;
                case ProxmoxAccess.Password(String _, SecretRef secret) -> secret;
            });
        }
        site.shells().stream().flatMap(shell -> Stream.iterate(Optional.of(shell), Optional::isPresent, o -> o.flatMap(ShellAccess::jump)))
                .map(Optional::orElseThrow)
                .forEach(shell -> {
                    switch (shell.login()) {
                        case ShellAccess.KeyFile(Path _, Optional<SecretRef> passphrase) -> passphrase.ifPresent(refs::add);
                        case ShellAccess.Password(SecretRef secret) -> refs.add(secret);
                        case ShellAccess.Agent() -> { }
                    }
                });
        return refs;
    }

    /** The site is already changed or gone; a keyring that refuses now leaves an entry nobody reads. */
    private void removeSecrets(Set<SecretRef> refs) {
        for (SecretRef ref : refs) {
            try {
                secrets.remove(ref);
            } catch (TroubleException e) {
                LOG.warn("The secret {} stays where it is: {}", ref.key(), e.trouble().sentence());
            }
        }
    }

    private Optional<Site> byId(Connection connection, String id) throws SQLException, TroubleException {
        return one(connection, "SELECT name, document FROM site WHERE id = ?", id);
    }

    private Optional<Site> one(Connection connection, String sql, String key) throws SQLException, TroubleException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(site(rows)) : Optional.empty();
            }
        }
    }

    private Site site(ResultSet row) throws SQLException, TroubleException {
        return read(database.file() + ", site \"" + row.getString("name") + "\",", row.getString("document"));
    }

    private static Site read(String source, String document) throws TroubleException {
        Json json = Json.parse(source, document.getBytes(StandardCharsets.UTF_8));
        return new SiteReader(SiteForm.KEPT, "", Path.of(""), new MemorySecrets("")).read(json);
    }
}
