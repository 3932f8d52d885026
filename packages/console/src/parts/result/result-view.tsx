// The result of a tool, resource or prompt. Text is never HTML; pictures and sounds are blobs with a checked type; links are
// shown, not followed.

import { useSignal } from '@preact/signals';
import type { JsonObject } from '@plugboard/base';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { counted, size } from '../../text/numbers.ts';
import { Text } from '../../text/text.tsx';
import { visible } from '../../text/visible.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Segments } from '../segments.tsx';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { bytesOf, type Media } from './media.ts';
import { type Part, splitResult } from './result-parts.ts';
import type { Table } from './table.ts';

export interface ResultViewProps {
  readonly result: JsonObject;
  /** Opens a resource that the result links to, if the view can. */
  readonly onOpen?: ((uri: string) => void) | undefined;
}

export function ResultView({ result, onOpen }: ResultViewProps): JSX.Element {
  const shown = useMemo(() => splitResult(result), [result]);
  return (
    <div class={`result${shown.isError ? ' result-error' : ''}`}>
      {shown.groups.length === 0 && <p class="faint">The result is empty.</p>}
      {shown.groups.map((group, index) => (
        <section key={index} class="result-group">
          {group.title !== undefined && (
            <h3 class="result-title">
              <Text of={group.title} />
            </h3>
          )}
          {group.parts.map((part, at) => (
            <PartView key={at} part={part} onOpen={onOpen} />
          ))}
        </section>
      ))}
      {shown.hidden > 0 && <p class="faint">{counted(shown.hidden, 'more part')} not shown.</p>}
    </div>
  );
}

interface PartProps {
  readonly part: Part;
  readonly onOpen: ((uri: string) => void) | undefined;
}

function PartView({ part, onOpen }: PartProps): JSX.Element {
  switch (part.kind) {
    case 'text':
      return (
        <pre class="result-text" tabIndex={0} role="group" aria-label="Text">
          <LongText of={part.text} />
        </pre>
      );
    case 'tree':
      return <TreeView part={part} />;
    case 'media':
      return <MediaView media={part.media} />;
    case 'data':
      return (
        <p class="result-box">
          <span>
            <Text of={part.type} />, {size(part.size)}: {part.reason}.
          </span>
        </p>
      );
    case 'link':
    case 'resource':
      return <ResourceView part={part} onOpen={onOpen} />;
    default:
      return part satisfies never;
  }
}

type ResourcePart = Extract<Part, { readonly kind: 'link' | 'resource' }>;

function ResourceView({
  part,
  onOpen,
}: { readonly part: ResourcePart } & Pick<PartProps, 'onOpen'>): JSX.Element {
  const { uri, type } = part;
  return (
    <div class="result-box">
      <div class="result-box-head">
        <Icon name="list" />
        {part.kind === 'link' && part.name !== undefined && (
          <b>
            <Text of={part.name} />
          </b>
        )}
        <code>
          <Text of={uri} />
        </code>
        {type !== undefined && (
          <span class="faint">
            <Text of={type} />
          </span>
        )}
        <CopyButton text={uri} what="address" />
        {part.kind === 'link' && onOpen !== undefined && (
          <button type="button" class="button" onClick={() => onOpen(uri)}>
            Read
          </button>
        )}
      </div>
      {part.kind === 'link' ? (
        part.description !== undefined && (
          <p class="faint">
            <Text of={part.description} />
          </p>
        )
      ) : (
        <PartView part={part.content} onOpen={onOpen} />
      )}
    </div>
  );
}

const SHAPES = [
  { name: 'table', title: 'Table' },
  { name: 'tree', title: 'Tree' },
  { name: 'text', title: 'Text' },
] as const;

type Shape = (typeof SHAPES)[number]['name'];

function TreeView({
  part,
}: {
  readonly part: Extract<Part, { readonly kind: 'tree' }>;
}): JSX.Element {
  const shape = useSignal<Shape>(part.table === undefined ? 'tree' : 'table');
  return (
    <>
      <Segments
        label="Shown as"
        options={SHAPES.filter(({ name }) => name !== 'table' || part.table !== undefined)}
        value={shape.value}
        onChange={(next) => {
          shape.value = next;
        }}
      />
      {shape.value === 'table' && part.table !== undefined && <TableView table={part.table} />}
      {shape.value === 'tree' && <JsonTree value={part.value} label="JSON" />}
      {shape.value === 'text' && (
        <pre class="result-text" tabIndex={0} role="group" aria-label="JSON text">
          <LongText of={JSON.stringify(part.value, null, 2)} />
        </pre>
      )}
    </>
  );
}

function TableView({ table }: { readonly table: Table }): JSX.Element {
  return (
    <>
      <div class="result-table" role="group" tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  <Text of={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at}>
                    <Text of={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.hidden > 0 && <p class="faint">{counted(table.hidden, 'more row')} in the tree.</p>}
    </>
  );
}

function MediaView({ media }: { readonly media: Media }): JSX.Element {
  const url = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const bytes = bytesOf(media);
    if (bytes === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: media.type }));
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [media]);
  const about = `${visible(media.type)}, ${size(media.size)}`;
  if (url.value === undefined) return <p class="faint">{about}</p>;
  return (
    <>
      {media.kind === 'image' ? (
        <img class="result-picture" src={url.value} alt={`Picture of the result, ${about}`} />
      ) : (
        <audio
          class="result-sound"
          controls
          src={url.value}
          aria-label={`Sound of the result, ${about}`}
        />
      )}
      <p class="faint">{about}</p>
    </>
  );
}
