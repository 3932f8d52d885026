// A table of the labels of tools, which say what tools do with data.

import type { Label, ToolLabels } from '@plugboard/host/decisions';
import { table } from './table.ts';

export interface LabelRow {
  readonly server: string;
  readonly tool: string;
  readonly labels: readonly Label[];
  readonly by: ToolLabels['by'];
}

const MEANING: Readonly<Record<Label, string>> = {
  private: 'reads private data',
  foreign: 'brings foreign text',
  out: 'sends out or changes something',
};

const BY: Readonly<Record<ToolLabels['by'], string>> = {
  entry: 'your settings',
  'known-server': 'known server',
  name: 'its name and parameters',
};

export function labelsTable(rows: readonly LabelRow[], columns: number): string {
  return table<LabelRow>(
    [
      { title: 'SERVER', cell: ({ server }) => server, isName: true },
      { title: 'TOOL', cell: ({ tool }) => tool, isName: true },
      {
        title: 'DOES',
        cell: ({ labels }) =>
          labels.length === 0 ? '-' : labels.map((label) => MEANING[label]).join(', '),
      },
      { title: 'KNOWN BY', cell: ({ by }) => BY[by], from: 90 },
    ],
    rows,
    columns,
  );
}
