import { describe, expect, it } from 'vitest';
import { verifies } from '@plugboard/testkit';
import type { Declaration } from '../../src/chunk/chunk.ts';
import { GRAMMARS } from '../../src/chunk/languages/grammars.ts';
import { languageOf } from '../../src/chunk/languages/language-of.ts';
import { Parsers } from '../../src/chunk/parsers.ts';
import { outlineOfTree } from '../../src/chunk/syntax-outline.ts';
import { scaleFor } from '../../src/chunk/weigh.ts';
import { SAMPLES } from './samples.ts';

type Name = keyof typeof SAMPLES;

/** Kind and symbol, and the names if they differ from the last part of the symbol. */
const DECLARED: Readonly<Record<Name, readonly string[]>> = {
  bash: ['variable REGION', 'function build_image', 'function push_image'],
  c: [
    'macro QUEUE_MAX',
    'type cursor_t',
    'struct queue',
    'enum queue_state',
    'function queue_size',
    'function queue_push',
  ],
  cpp: [
    'namespace store',
    'class store.Cache',
    'method store.Cache.Cache',
    'method store.Cache.size',
    'property store.Cache.count_',
    'enum store.Mode',
    'type store.Key',
    'function store.Cache.evict',
  ],
  csharp: [
    'namespace Acme.Billing',
    'class Acme.Billing.InvoiceService',
    'property Acme.Billing.InvoiceService.MaxLines',
    'property Acme.Billing.InvoiceService.Currency',
    'constructor Acme.Billing.InvoiceService.InvoiceService',
    'method Acme.Billing.InvoiceService.Total',
    'class Acme.Billing.Line',
    'interface Acme.Billing.IInvoices',
    'method Acme.Billing.IInvoices.Total',
    'enum Acme.Billing.State',
  ],
  css: ['rule .page, #main', 'rule .page', 'rule fade'],
  dart: [
    'class Counter',
    'constructor Counter.Counter',
    'property Counter.step',
    'method Counter.next',
    'trait Loud',
    'extension Doubled',
    'method Doubled.twice',
    'enum Level',
    'function main',
  ],
  go: [
    'constant DefaultPort',
    'constant MaxHeader (MaxHeader, MaxBody)',
    'variable started',
    'struct Server',
    'interface Handler',
    'method Handler.Handle',
    'method Server.Start',
    'function New',
  ],
  ini: ['section metadata', 'section options'],
  java: [
    'class UserRepository',
    'property UserRepository.LIMIT',
    'constructor UserRepository.UserRepository',
    'method UserRepository.findById',
    'enum UserRepository.Order',
    'interface Finder',
    'method Finder.findById',
    'class Page',
  ],
  javascript: [
    'class Router',
    'property Router.routes',
    'method Router.match',
    'method Router.add',
    'function compile',
    'constant LIMIT',
    'function parse',
    'constant hooks',
    'method hooks.before',
    'method hooks.after',
    'function create',
    'function Router.use (use, mount)',
  ],
  php: [
    'namespace App\\Mail',
    'class Mailer',
    'constant Mailer.RETRIES',
    'property Mailer.transport',
    'method Mailer.send',
    'interface Transport',
    'method Transport.deliver',
    'trait Logs',
    'method Logs.log',
    'function helper',
  ],
  powershell: ['function Get-Version', 'class Package', 'method Package.Install', 'enum Level'],
  python: [
    'variable TAX',
    'class Order',
    'variable Order.lines',
    'method Order.total',
    'function load_orders',
  ],
  ruby: [
    'namespace Store',
    'class Store.Item',
    'constant Store.Item.LIMIT',
    'method Store.Item.total',
    'method Store.Item.find',
  ],
  rust: [
    'struct Pool',
    'impl Pool ()',
    'constant Pool.SIZE',
    'method Pool.drop',
    'trait Connect',
    'method Connect.connect',
    'enum State',
    'macro pool',
    'function open',
  ],
  solidity: [
    'class Token',
    'property Token.supply',
    'event Token.Minted',
    'method Token.onlyOwner',
    'method Token.mint',
    'struct Token.Holder',
    'interface IToken',
    'method IToken.mint',
  ],
  sql: [
    'namespace shop',
    'table shop.orders',
    'property shop.orders.id',
    'property shop.orders.note',
    'index orders_by_customer',
    'type order_state',
    'view open_orders',
    'view totals',
    'function shop.order_total',
    'trigger touch',
    'variable order_ids',
    'table my table',
    'property my table.first one',
  ],
  elixir: [
    'class Shop.Cart',
    'method Shop.Cart.add',
    'method Shop.Cart.size',
    'method Shop.Cart.put',
    'macro Shop.Cart.sigil_m',
    'interface Shop.Priced',
    'method Shop.Priced.price',
    'impl Shop.Priced ()',
    'method Shop.Priced.price',
  ],
  kotlin: [
    'property MAX_SIZE',
    'type Address',
    'class Mailbox',
    'property Mailbox.opened',
    'method Mailbox.put',
    'method Mailbox.of',
    'interface Store',
    'method Store.put',
    'class Message',
    'enum Priority',
    'class Registry',
    'method Registry.find',
    'function drain',
  ],
  lua: [
    'variable M',
    'variable limit',
    'function M.open',
    'function M.close',
    'function helper',
    'function M.toggle',
  ],
  scala: [
    'trait Store',
    'method Store.put',
    'class Ledger',
    'property Ledger.entries',
    'method Ledger.put',
    'class Ledger',
    'type Ledger.Id',
    'method Ledger.empty',
    'class Entry',
    'enum Currency',
    'constant ordering',
    'function doubled',
  ],
  swift: [
    'class Session',
    'property Session.token',
    'method Session.renew',
    'struct User',
    'interface Store',
    'method Store.renew',
    'extension Session ()',
    'method Session.end',
    'enum Role',
    'function signIn',
  ],
  tsx: ['interface ButtonProps', 'function Button', 'function Page'],
  typescript: [
    'interface Store',
    'method Store.get',
    'type Key',
    'enum Level',
    'namespace Units',
    'constant Units.metre',
    'class MemoryStore',
    'property MemoryStore.items',
    'constructor MemoryStore.constructor',
    'method MemoryStore.get',
    'function create',
    'constant LIMIT',
    'function nativeOpen',
  ],
};

const parsers = new Parsers({ mostMs: 10_000 });

describe('finding declarations', () => {
  verifies('COD-05');

  it.each(Object.keys(SAMPLES) as Name[])(
    'finds all declarations of a sample in %s',
    async (name) => {
      const { path, text } = SAMPLES[name];
      expect(languageOf(path)).toBe(name);
      expect((await declarationsIn(name, text)).map(inWords)).toEqual(DECLARED[name]);
    },
  );

  it('covers every language that has a grammar', () => {
    const withGrammar = Object.keys(GRAMMARS);
    expect(withGrammar.toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
    expect(withGrammar.length).toBeGreaterThanOrEqual(16);
  });

  it('includes the comment and the attributes before a declaration', async () => {
    const { text } = SAMPLES.rust;
    const [pool] = await declarationsIn('rust', text);
    expect(text.slice(pool?.start, pool?.end)).toMatch(
      /^\/\/\/ A pool of connections\.\n#\[derive[^]*}$/,
    );
  });

  it('leaves out declarations that are local to a function', async () => {
    const long = `def outer():\n${'    total = compute(total)\n'.repeat(100)}    def inner():\n        pass\n`;
    expect((await declarationsIn('python', long)).map(inWords)).toEqual([
      'function outer',
      'function outer.inner',
    ]);
  });
});

async function declarationsIn(name: Name, text: string): Promise<readonly Declaration[]> {
  const loaded = await parsers.load(name);
  const isLate = (): boolean => false;
  const tree = loaded.parse(text, isLate);
  if (tree === undefined) throw new Error('not parsed');
  try {
    const outline = outlineOfTree({
      tree,
      text,
      rules: loaded.rules,
      scale: scaleFor(text),
      isLate,
    });
    return outline?.declarations ?? [];
  } finally {
    tree.delete();
  }
}

function inWords({ kind, symbol, names }: Declaration): string {
  const isPlain = names.length === 1 && symbol.endsWith(names[0] ?? '');
  return isPlain ? `${kind} ${symbol}` : `${kind} ${symbol} (${names.join(', ')})`;
}
