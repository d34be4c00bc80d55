package org.example.ledger;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A ledger with double entry: each posting takes from one account what it gives to another, so that the sum over all
 * accounts is always zero.
 */
public final class Ledger {
    private final Map<String, Account> accounts = new HashMap<>();
    private final List<Posting> postings = new ArrayList<>();
    private final Currency currency;

    public Ledger(Currency currency) {
        this.currency = Objects.requireNonNull(currency, "currency");
    }

    public synchronized Account open(String name, boolean mayBeNegative) {
        if (accounts.containsKey(name)) {
            throw new IllegalArgumentException("There is an account " + name + " already");
        }
        Account account = new Account(name, mayBeNegative);
        accounts.put(name, account);
        return account;
    }

    public synchronized Posting post(String from, String to, BigDecimal amount, Instant at, String text) {
        BigDecimal rounded = amount.setScale(currency.getDefaultFractionDigits(), RoundingMode.HALF_EVEN);
        if (rounded.signum() <= 0) {
            throw new IllegalArgumentException("The amount has to be positive: " + amount.toPlainString());
        }
        Account source = account(from);
        Account target = account(to);
        if (!source.mayBeNegative() && source.balance().compareTo(rounded) < 0) {
            throw new InsufficientFundsException(from, source.balance(), rounded);
        }
        Posting posting = new Posting(UUID.randomUUID(), from, to, rounded, at, text);
        source.add(rounded.negate());
        target.add(rounded);
        postings.add(posting);
        return posting;
    }

    public Optional<Posting> find(UUID id) {
        return postings.stream().filter(posting -> posting.id().equals(id)).findFirst();
    }

    public synchronized Map<String, BigDecimal> balances() {
        return accounts.values().stream()
                .collect(Collectors.toUnmodifiableMap(Account::name, Account::balance));
    }

    public synchronized List<Posting> statement(String name, Instant since) {
        account(name);
        List<Posting> found = postings.stream()
                .filter(posting -> posting.touches(name) && !posting.at().isBefore(since))
                .collect(Collectors.toList());
        return Collections.unmodifiableList(found);
    }

    private Account account(String name) {
        Account account = accounts.get(name);
        if (account == null) {
            throw new IllegalArgumentException("There is no account " + name);
        }
        return account;
    }

    public record Posting(UUID id, String from, String to, BigDecimal amount, Instant at, String text) {
        boolean touches(String account) {
            return from.equals(account) || to.equals(account);
        }
    }

    public static final class InsufficientFundsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InsufficientFundsException(String account, BigDecimal balance, BigDecimal wanted) {
            super(String.format("%s has %s, and %s are wanted", account, balance, wanted));
        }
    }
}
