// The types of oxlint's plugin interface, which it exports only through its rule tester.

import type { RuleTester } from 'oxlint/plugins-dev';

export type Rule = Extract<Parameters<RuleTester['run']>[1], { create: unknown }>;
export type Context = Parameters<Rule['create']>[0];
export type Visitor = ReturnType<Rule['create']>;
export type ScopeManager = Context['sourceCode']['scopeManager'];
export type Node = NonNullable<Parameters<NonNullable<Visitor['CallExpression']>>[0]['parent']>;
