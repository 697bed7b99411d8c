package dev.pitwall.store.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pitwall.card.Trouble;
import dev.pitwall.card.TroubleException;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of a file of secrets: names and secrets as one AES-256-GCM message, whose header says how the key comes
 * about and is authenticated with it. A key check tells a wrong key from a damaged file.
 */
record SealedBox(FileKey protection, byte[] check, byte[] nonce, byte[] sealed) {
    private static final String FORMAT = "pitwall-secrets";
    private static final int VERSION = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    static SealedBox seal(Map<String, String> secrets, FileKey protection, byte[] key, SecureRandom random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, protection);
            byte[] sealed = cipher.doFinal(JSON.writeValueAsBytes(new TreeMap<>(secrets)));
            return new SealedBox(protection, check(key), nonce, sealed);
        } catch (GeneralSecurityException | JsonProcessingException e) {
            throw new IllegalStateException("this Java cannot encrypt with AES-GCM", e);
        }
    }

    /** True if this is the key the box was sealed with. */
    boolean fits(byte[] key) {
        return MessageDigest.isEqual(check, check(key));
    }

    /** @throws TroubleException if the content was changed after it was written */
    SortedMap<String, String> open(byte[] key, Path file) throws TroubleException {
        try {
            byte[] plain = cipher(Cipher.DECRYPT_MODE, key, nonce, protection).doFinal(sealed);
            return JSON.readValue(plain, new TypeReference<TreeMap<String, String>>() { });
        } catch (GeneralSecurityException | IOException e) {
            throw damaged(file, e);
        }
    }

    byte[] toBytes() {
        ObjectNode json = JSON.createObjectNode().put("format", FORMAT).put("version", VERSION);
        switch (protection) {
            case FileKey.Beside() -> json.put("key", "beside");
            case FileKey.FromPassphrase(int memoryKiB, int passes, int lanes, byte[] salt) -> json.put("key", "argon2id")
                    .put("memoryKiB", memoryKiB).put("passes", passes).put("lanes", lanes).put("salt", text(salt));
        }
        json.put("keyCheck", text(check)).put("nonce", text(nonce)).put("sealed", text(sealed));
        return (json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    static SealedBox parse(byte[] content, Path file) throws TroubleException {
        JsonNode json = json(content, file);
        if (!FORMAT.equals(json.path("format").asText())) {
            throw damaged(file, null);
        }
        if (json.path("version").asInt() != VERSION) {
            throw new TroubleException(new Trouble(Trouble.Kind.PROTOCOL, file.toString(),
                    "the file of secrets was written by another version of Pitwall (format "
                            + json.path("version").asInt() + ", this one knows " + VERSION + ")",
                    "Start the newer Pitwall, or set PITWALL_HOME to another folder."));
        }
        try {
            SealedBox box = new SealedBox(protection(json, file), bytes(json, "keyCheck"), bytes(json, "nonce"), bytes(json, "sealed"));
            if (box.nonce.length != NONCE_BYTES || box.sealed.length < TAG_BITS / Byte.SIZE) {
                throw damaged(file, null);
            }
            return box;
        } catch (IllegalArgumentException e) {
            throw damaged(file, e);
        }
    }

    private static JsonNode json(byte[] content, Path file) throws TroubleException {
        try {
            return JSON.readTree(content);
        } catch (IOException e) {
            throw damaged(file, e);
        }
    }

    private static FileKey protection(JsonNode json, Path file) throws TroubleException {
        return switch (json.path("key").asText()) {
            case "beside" -> new FileKey.Beside();
            case "argon2id" -> {
                FileKey.FromPassphrase key = new FileKey.FromPassphrase(json.path("memoryKiB").asInt(),
                        json.path("passes").asInt(), json.path("lanes").asInt(), bytes(json, "salt"));
                if (!key.bearable()) {
                    throw damaged(file, null);
                }
                yield key;
            }
            default -> throw damaged(file, null);
        };
    }

    private static TroubleException damaged(Path file, Throwable cause) {
        return new TroubleException(new Trouble(Trouble.Kind.UNREADABLE, file.toString(),
                "the file of secrets is cut short or was changed by something else",
                "Put back a copy of it, or move it away and enter the secrets again; Pitwall leaves it as it is."), cause);
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, FileKey protection) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(header(protection).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static String header(FileKey protection) {
        return FORMAT + " " + VERSION + " " + switch (protection) {
            case FileKey.Beside() -> "beside";
            case FileKey.FromPassphrase(int memoryKiB, int passes, int lanes, byte[] salt) ->
                    "argon2id " + memoryKiB + " " + passes + " " + lanes + " " + text(salt);
        };
    }

    private static byte[] check(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return Arrays.copyOf(mac.doFinal((FORMAT + " key check").getBytes(StandardCharsets.UTF_8)), 16);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA-256", e);
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(JsonNode json, String field) {
        return Base64.getDecoder().decode(json.path(field).asText());
    }

    @Override
    public String toString() {
        return "SealedBox";
    }
}
