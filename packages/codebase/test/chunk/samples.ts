// A small file in each language with a grammar, written as people write it.

export interface Sample {
  readonly path: string;
  readonly text: string;
}

export const SAMPLES = {
  bash: {
    path: 'scripts/deploy.sh',
    text: `#!/usr/bin/env bash
# Sends a build to the servers.
set -euo pipefail
export REGION=eu-west-1

build_image() {
  docker build -t "app:$1" .
}

function push_image {
  docker push "app:$1"
}

build_image "$1" && push_image "$1"
`,
  },
  c: {
    path: 'src/queue.c',
    text: `#include <stdlib.h>
#define QUEUE_MAX 64

typedef struct { int head; } cursor_t;

struct queue {
  int items[QUEUE_MAX];
};

enum queue_state { EMPTY, FULL };

int queue_size(const struct queue *q);

/* Puts one item at the end. */
static int *queue_push(struct queue *q, int item) {
  return &q->items[item];
}
`,
  },
  cpp: {
    path: 'src/cache.cpp',
    text: `#include "cache.h"

namespace store {

template <typename K>
class Cache : public Base {
 public:
  Cache();
  int size() const { return count_; }

 private:
  int count_;
};

enum class Mode { Read, Write };

using Key = std::string;

}  // namespace store

void store::Cache::evict(int n) {
  drop(n);
}
`,
  },
  csharp: {
    path: 'Billing/InvoiceService.cs',
    text: `using System;

namespace Acme.Billing
{
    /// <summary>Makes invoices.</summary>
    [Service]
    public class InvoiceService : IInvoices
    {
        public const int MaxLines = 10;
        public string Currency { get; set; }

        public InvoiceService(string currency) { Currency = currency; }

        public decimal Total(Order order) { return order.Sum(); }
    }

    public record Line(int Amount);

    public interface IInvoices { decimal Total(Order order); }

    public enum State { Open, Paid }
}
`,
  },
  css: {
    path: 'styles/main.css',
    text: `/* Layout */
.page, #main { display: grid; }

@media (max-width: 600px) {
  .page { display: block; }
}

@keyframes fade { from { opacity: 0 } }
`,
  },
  dart: {
    path: 'lib/counter.dart',
    text: `import 'package:flutter/material.dart';

/// Counts taps.
class Counter extends Model {
  Counter();
  final int step = 1;

  @override
  int next(int value) {
    return value + step;
  }
}

mixin Loud {}

extension Doubled on Counter {
  int twice() => 2;
}

enum Level { low, high }

void main() {
  runApp(App());
}
`,
  },
  go: {
    path: 'server/server.go',
    text: `package server

import "net/http"

const (
	DefaultPort = 8080
	MaxHeader, MaxBody = 1, 2
)

var started bool

// Server answers requests.
type Server struct {
	mux *http.ServeMux
}

type Handler interface {
	Handle(r *http.Request) error
}

// Start listens.
func (s *Server) Start(port int) error {
	return nil
}

func New() *Server { return &Server{} }
`,
  },
  ini: {
    path: 'setup.cfg',
    text: `[metadata]
name = demo

[options]
packages = find:
`,
  },
  java: {
    path: 'src/main/java/UserRepository.java',
    text: `package app;

/** Finds users. */
@Repository
public class UserRepository<T> implements Finder {
  private static final int LIMIT = 10;

  public UserRepository() {}

  @Override
  public User findById(long id) {
    return db.get(id);
  }

  enum Order { ASC, DESC }
}

interface Finder {
  User findById(long id);
}

record Page(int number) {}
`,
  },
  javascript: {
    path: 'lib/router.js',
    text: `'use strict';
const path = require('node:path');

/** Finds handlers. */
class Router {
  #routes = [];
  match = (url) => this.#routes[url];
  add(route) { this.#routes.push(route); }
}

function compile(pattern) { return pattern; }

const LIMIT = 10;
const parse = (text) => JSON.parse(text);
const hooks = {
  before() {},
  after: function () {},
  level: 3,
};

exports.create = function create() { return new Router(); };
Router.prototype.use = Router.prototype.mount = function () {};
`,
  },
  php: {
    path: 'src/Mailer.php',
    text: `<?php
namespace App\\Mail;

/** Sends mail. */
final class Mailer {
    const RETRIES = 3;
    private $transport;

    public function send(string $to): bool {
        return true;
    }
}

interface Transport { public function deliver(); }

trait Logs { function log() {} }

function helper() { return 1; }
`,
  },
  powershell: {
    path: 'build.ps1',
    text: `# Builds everything.
function Get-Version {
  param($Path)
  return 1
}

class Package {
  [string]$Name
  [void]Install() { }
}

enum Level { Low }
`,
  },
  python: {
    path: 'app/orders.py',
    text: `"""Orders and their totals."""
from decimal import Decimal

TAX = Decimal("0.2")


@dataclass
class Order:
    """One order."""
    lines: list = None

    @property
    def total(self):
        subtotal = sum(self.lines)
        return subtotal


# Reads orders.
async def load_orders(path):
    rows = open(path)
    return rows
`,
  },
  ruby: {
    path: 'lib/store/item.rb',
    text: `module Store
  # One thing to buy.
  class Item < Base
    LIMIT = 3
    attr_reader :price

    def total(count)
      price * count
    end

    def self.find(id)
      new(id)
    end
  end
end
`,
  },
  rust: {
    path: 'src/pool.rs',
    text: `use std::sync::Arc;

mod tests;

/// A pool of connections.
#[derive(Debug)]
pub struct Pool<T> {
    items: Vec<T>,
}

impl<T> Drop for Pool<T> {
    const SIZE: usize = 1;
    fn drop(&mut self) {}
}

pub trait Connect {
    fn connect(&self);
}

pub enum State { Idle, Busy }

macro_rules! pool { () => {} }

pub fn open(url: &str) -> Pool<u8> { todo!() }
`,
  },
  solidity: {
    path: 'contracts/Token.sol',
    text: `pragma solidity ^0.8.0;

// A token.
contract Token is ERC20 {
    uint256 public supply;
    event Minted(address to);
    modifier onlyOwner() { _; }
    function mint(address to) public onlyOwner { emit Minted(to); }
    struct Holder { uint256 amount; }
}

interface IToken { function mint(address to) external; }
`,
  },
  elixir: {
    path: 'lib/shop/cart.ex',
    text: `defmodule Shop.Cart do
  @moduledoc "What a customer is about to buy."
  @most 20

  @doc "Adds an item."
  def add(cart, item) when is_map(item) do
    put(cart, item)
  end

  def size(cart), do: length(cart.items)

  defp put(cart, item) do
    %{cart | items: [item | cart.items]}
  end

  defmacro sigil_m(text, _), do: text
end

defprotocol Shop.Priced do
  def price(item)
end

defimpl Shop.Priced, for: Map do
  def price(item), do: item.price
end
`,
  },
  kotlin: {
    path: 'src/main/kotlin/Mailbox.kt',
    text: `package acme.mail

import java.time.Instant

const val MAX_SIZE = 1024

typealias Address = String

/** Keeps messages until they are read. */
class Mailbox(private val owner: Address) : Store {
    val opened: Instant = Instant.now()

    override fun put(message: Message): Boolean {
        val size = message.text.length
        return size < MAX_SIZE
    }

    companion object {
        fun of(owner: Address): Mailbox = Mailbox(owner)
    }
}

interface Store {
    fun put(message: Message): Boolean
}

data class Message(val text: String)

enum class Priority {
    LOW, HIGH
}

object Registry {
    fun find(name: String): Mailbox? = null
}

suspend fun Mailbox.drain(): List<Message> {
    return emptyList()
}
`,
  },
  lua: {
    path: 'lua/plugin/window.lua',
    text: `local M = {}
local limit = 10

--- Opens a window.
function M.open(title)
  return title
end

function M:close(force)
  return force
end

local function helper(x)
  return x
end

M.toggle = function(name)
  helper(name)
end

M.version = 3

return M
`,
  },
  sql: {
    path: 'db/schema.sql',
    text: `CREATE SCHEMA IF NOT EXISTS shop;

CREATE TABLE IF NOT EXISTS shop.orders (
  id BIGINT PRIMARY KEY REFERENCES customers (id),
  note TEXT DEFAULT 'none'
);

CREATE UNIQUE INDEX orders_by_customer ON shop.orders (customer_id);

CREATE TYPE order_state AS ENUM ('open', 'paid');

-- What is not paid yet.
CREATE OR REPLACE VIEW open_orders AS
SELECT o.id FROM shop.orders o WHERE o.total > 0;

CREATE MATERIALIZED VIEW totals AS SELECT sum(total) FROM shop.orders;

CREATE OR REPLACE FUNCTION "shop"."order_total"(order_id BIGINT) RETURNS NUMERIC AS $$
  SELECT sum(price) FROM items WHERE items.order_id = order_id;
$$ LANGUAGE sql;

CREATE TRIGGER touch BEFORE UPDATE ON shop.orders FOR EACH ROW EXECUTE FUNCTION touch_row();

CREATE SEQUENCE order_ids START 1;

CREATE TABLE \`my table\` (\`first one\` INT);
`,
  },
  scala: {
    path: 'src/main/scala/Ledger.scala',
    text: `package acme.ledger

trait Store {
  def put(entry: Entry): Boolean
}

/** Keeps entries in memory. */
class Ledger(limit: Int) extends Store {
  val entries = List.empty[Entry]

  def put(entry: Entry): Boolean = {
    val size = entries.size
    size < limit
  }
}

object Ledger {
  type Id = String
  def empty: Ledger = new Ledger(10)
}

case class Entry(amount: BigDecimal)

enum Currency {
  case Euro, Dollar
}

given ordering: Ordering[Entry] = ???

extension (entry: Entry) def doubled: Entry = entry
`,
  },
  swift: {
    path: 'Sources/Session.swift',
    text: `import Foundation

/// Keeps a user signed in.
public final class Session: Store {
    let token: String

    func renew(_ id: Int) -> Bool {
        return true
    }
}

struct User { }

protocol Store {
    func renew(_ id: Int) -> Bool
}

extension Session {
    func end() { }
}

enum Role { case admin }

func signIn() { }
`,
  },
  tsx: {
    path: 'src/button.tsx',
    text: `import { type ReactNode } from 'react';

export interface ButtonProps {
  label: ReactNode;
}

export const Button = ({ label }: ButtonProps) => <button>{label}</button>;

export default function Page() {
  return <Button label="ok" />;
}
`,
  },
  typescript: {
    path: 'src/store.ts',
    text: `import { open } from './db.ts';

/** What can be stored. */
export interface Store {
  get(key: string): string;
  readonly size: number;
}

export type Key = string;

export enum Level { Low, High }

export namespace Units {
  export const metre = 1;
}

@injectable()
export class MemoryStore implements Store {
  private readonly items = new Map();

  constructor() {}

  @logged()
  get(key: string): string {
    const item = this.items.get(key);
    return item;
  }
}

export const create = (): Store => new MemoryStore();
export const LIMIT = 10;
declare function nativeOpen(path: string): void;
`,
  },
} as const satisfies Readonly<Record<string, Sample>>;
