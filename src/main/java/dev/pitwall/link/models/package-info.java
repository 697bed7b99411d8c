/** Model servers: Ollama and llama-server. */
package dev.pitwall.link.models;
