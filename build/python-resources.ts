// The methods of the Python client, of the one that waits and of the async one: each operation of the OpenAPI document with
// its parameters, its rows' type, what it needs, and an example.
import { LEFT_OUT, METHODS, type Method, STREAMS } from './python-methods.js';
import {
  camel,
  type Document,
  folded,
  type Models,
  type Operation,
  oneLine,
  type Parameter,
  pythonName,
  type Schema,
} from './python-models.js';

interface Call extends Method {
  path: string;
  verb: string;
  operationOf: Operation;
}

/** An argument of a method: its name in Python and in the request. */
interface Argument {
  name: string;
  sent: string;
  type: string;
  needed: boolean;
  about: string;
  place: 'path' | 'query' | 'body';
}

export class Resources {
  readonly #models: Models;
  readonly #async: boolean;
  readonly #calls: Call[] = [];
  readonly #streamParameters: Parameter[];

  constructor(document: Document, models: Models, isAsync: boolean) {
    this.#models = models;
    this.#async = isAsync;
    const known = new Map(METHODS.map((method) => [method.operation, method]));
    for (const [path, verbs] of Object.entries(document.paths))
      for (const [verb, operationOf] of Object.entries(verbs)) {
        const { operationId } = operationOf;
        const method = known.get(operationId);
        if (method === undefined && LEFT_OUT.test(operationId)) continue;
        this.#calls.push({
          ...(method ?? derived(path, verb, operationId)),
          path,
          verb: verb.toUpperCase(),
          operationOf,
        });
        known.delete(operationId);
      }
    if (known.size > 0) throw new Error(`no such operations: ${[...known.keys()].join(', ')}`);
    const order = new Map(METHODS.map(({ operation }, i) => [operation, i]));
    this.#calls.sort((a, b) => (order.get(a.operation) ?? 1e9) - (order.get(b.operation) ?? 1e9));
    const { requestBody, responses } = document.paths['/ingest']!['post']!;
    models.request(requestBody!.content!['application/json']!.schema!, 'IngestMessage');
    models.row(Object.values(responses)[0]!.content!['application/json']!.schema!, 'IngestReceipt');
    this.#streamParameters = document.paths['/stream']!['get']!.parameters ?? [];
  }

  text(): string {
    const names = [...new Set(this.#calls.map(({ resource }) => resource))];
    const classes = names.map((name) => this.#resource(name));
    const streams = this.#streams();
    const types = [...new Set([...classes.join('\n').matchAll(/\b[A-Z]\w+\b/g)].map(([word]) => word))];
    const known = new Set([...this.#models.rowNames, ...this.#models.requestNames]);
    const imported = types.filter((type) => known.has(type)).sort();
    const [a, asyncWord] = this.#async ? ['async_', 'Async'] : ['', ''];
    const members = names.map((name) => `        self.${name} = ${camel(name)}Resource(calls)\n`);
    return `"""The methods of ${this.#async ? '`AsyncClient`' : '`Client`'}. Made from the server's OpenAPI document: npm run python."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ${this.#async ? 'AsyncIterator' : 'Iterator'}, Literal, Mapping, Optional, Sequence, Union

from .models import (
${imported.map((name) => `    ${name},\n`).join('')})
from .requests import UNSET, Call, Unset, given, json_call, path_of, segment
from .rows import Row, Rows
from .${a}stream import ${asyncWord}Stream

if TYPE_CHECKING:
    from .${a}client import ${asyncWord}Client

Text = Union[str, Sequence[str], date, datetime]
"""A value, several, or a time."""


class Resource:
    def __init__(self, calls: ${asyncWord}Client) -> None:
        self._calls = calls


${classes.join('\n\n')}

${streams}

class Resources:
    """All of them, by name."""

    def __init__(self, calls: ${asyncWord}Client) -> None:
${members.join('')}        self.stream = Streams(calls)
`;
  }

  #resource(name: string): string {
    const calls = this.#calls.filter(({ resource }) => resource === name);
    const first = calls[0]!.name;
    const methods = calls.map((call) => this.#method(call));
    if (name === 'ingest') methods.push(this.#push());
    if (name === 'odds') methods.push(this.#lines());
    const call = name === 'ingest' ? 'push' : first;
    return `class ${camel(name)}Resource(Resource):
    """${calls.map(({ path, verb }) => `\`${verb} ${path}\``).join(', ')}."""

${methods.join('\n')}
    __call__ = ${call}
`;
  }

  #method(call: Call): string {
    const args = this.#arguments(call);
    const [kind, form] = this.#answer(call);
    const lists = form === '_list';
    const type = lists ? `Rows[${kind}]` : kind;
    const signature = signatureOf(args);
    const body = args.filter(({ place }) => place === 'body');
    const path = this.#path(call, args);
    const asked = args.filter(({ place }) => place === 'query').map(({ name, sent }) => `"${sent}": ${name}, `);
    const query = asked.length === 0 ? 'more' : `{${asked.join('')}**more}`;
    const again = call.verb === 'GET' || call.verb === 'PUT' || AGAIN.has(call.operation);
    const address = call.verb === 'GET' || body.length === 0 ? `path_of(${path}, ${query})` : path;
    const made =
      body.length === 0
        ? `Call("${call.verb}", ${address}${again ? '' : ', again=False'})`
        : this.#bodyCall(call, address, body, again);
    const [def, wait] = this.#async ? ['async def', 'await '] : ['def', ''];
    const kindArgument = form === '_text' ? '' : `${kind}, `;
    const wanted = form === '_text';
    const lines = [
      `    ${def} ${call.name}(self${signature}, **more: Any) -> ${wanted ? 'None' : type}:`,
      this.#docstring(call, args),
      `        ${wanted ? '' : 'return '}${wait}self._calls.${form}(${kindArgument}${made})\n`,
    ];
    for (const other of call.also ?? []) lines.push(`    ${other} = ${call.name}\n`);
    const pages = args.find(({ sent }) => sent === 'cursor') ?? args.find(({ sent }) => sent === 'offset');
    if (lists && pages !== undefined) lines.push(this.#iter(call, kind, pages.sent === 'cursor', args));
    if (csv(call)) lines.push(this.#csv(call, args));
    return lines.join('\n');
  }

  #iter(call: Call, kind: string, byCursor: boolean, args: readonly Argument[]): string {
    const name = call.name === 'get' || call.name === 'list' ? 'iter' : `iter_${call.name}`;
    const needed = args.filter((each) => each.needed);
    const places = needed.map((each) => `, ${each.name}: ${each.type}`).join('');
    const given = needed.map((each) => `"${each.name}": ${each.name}, `).join('');
    const shown = [...needed.map((each) => each.name), ...(call.filter === undefined ? [] : [call.filter])];
    const type = `${this.#async ? 'AsyncIterator' : 'Iterator'}[${kind}]`;
    return `    def ${name}(self${places}, **filters: Any) -> ${type}:
        """Every row of all pages of \`${call.name}\`, which has the filters.

        >>> ${this.#async ? 'async ' : ''}for row in client.${call.resource}.${name}(${shown.join(', ')}): print(row)
        """
        return self._calls._pages(self.${call.name}, {${given}**filters}, ${byCursor ? 'True' : 'False'})
`;
  }

  #csv(call: Call, args: readonly Argument[]): string {
    const name = call.name === 'get' || call.name === 'list' ? 'csv' : `${call.name}_csv`;
    const needed = args.filter((each) => each.needed);
    const places = needed.map((each) => `, ${each.name}: ${each.type}`).join('');
    const asked = needed.filter(({ place }) => place === 'query').map((each) => `"${each.sent}": ${each.name}, `);
    const shown = [...needed.map((each) => each.name), ...(call.filter === undefined ? [] : [call.filter]), 'limit=3'];
    const query = `{${asked.join('')}"format": "csv", **filters}`;
    const [def, wait] = this.#async ? ['async def', 'await '] : ['def', ''];
    return `    ${def} ${name}(self${places}, **filters: Any) -> str:
        """The same as a table (RFC 4180); \`${call.name}\` has the filters.

        >>> print(${this.#async ? 'await ' : ''}client.${call.resource}.${name}(${shown.join(', ')}))
        """
        return ${wait}self._calls._table(Call("GET", path_of(${this.#path(call, args)}, ${query})))
`;
  }

  /** Of a request with a body: its JSON, or a table as it is. */
  #bodyCall(call: Call, path: string, body: readonly Argument[], again: boolean): string {
    if (call.operationOf.requestBody?.content?.['text/csv'] !== undefined)
      return `Call("${call.verb}", ${path}, ${body[0]!.name}.encode(), "text/csv")`;
    const listed = (some: readonly Argument[]): string => some.map(({ name, sent }) => `"${sent}": ${name}, `).join('');
    const fields = `{${listed(body.filter((each) => !saysNull(each)))}**more}`;
    const nulls = body.filter(saysNull);
    const given = nulls.length === 0 ? `given(${fields})` : `given(${fields}, {${listed(nulls).slice(0, -2)}})`;
    return `json_call("${call.verb}", ${path}, ${given}, ${again ? 'True' : 'False'})`;
  }

  #path({ path, optional }: Call, args: readonly Argument[]): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, sent: string) => {
      const { name } = args.find((each) => each.sent === sent && each.place === 'path')!;
      return `{segment(${name})}`;
    });
    if (optional === undefined) return filled === path ? `"${path}"` : `f"${filled}"`;
    const last = filled.lastIndexOf('/');
    const name = args.find(({ place }) => place === 'path')!.name;
    return `"${filled.slice(0, last)}" if ${name} is None else f"${filled}"`;
  }

  #arguments({ operationOf, places = {}, optional }: Call): Argument[] {
    const pythonOf = new Map(Object.entries(places).map(([name, sent]) => [sent, name]));
    const args: Argument[] = (operationOf.parameters ?? [])
      .filter(({ name, in: where }) => where !== 'header' && name !== 'strict' && name !== 'min_position')
      .map(({ name, in: where, required = false, description = '', schema }) => ({
        name: pythonOf.get(name) ?? pythonName(snake(where === 'path' ? name : name)),
        sent: name,
        type: this.#parameterType(schema),
        needed: required && !(where === 'path' && optional),
        about: oneLine(description),
        place: where as 'path' | 'query',
      }));
    const content = operationOf.requestBody?.content ?? {};
    const json = content['application/json']?.schema;
    if (json !== undefined) args.push(...this.#bodyArguments(json, operationOf.operationId));
    else if (content['text/csv'] !== undefined)
      args.push({ name: 'table', sent: '', type: 'str', needed: true, about: 'CSV with a head', place: 'body' });
    return args;
  }

  #bodyArguments(json: Schema, operationId: string): Argument[] {
    const schema = this.#models.resolved(json);
    return Object.entries(schema.properties ?? {}).map(([name, each]) => ({
      name: pythonName(name),
      sent: name,
      // Dictionaries that a program made itself have no type of ours.
      type: this.#models
        .request(each, REQUESTS[`${operationId}.${name}`] ?? camel(`${operationId}_${name}`))
        .replace(/^(Sequence\[)?([A-Z]\w+)(\]?)$/, (whole, before = '', type, after) =>
          this.#models.requestNames.includes(type) ? `${before}Union[${type}, Mapping[str, Any]]${after}` : whole,
        ),
      needed: schema.required?.includes(name) ?? false,
      about: oneLine(each.description ?? ''),
      place: 'body' as const,
    }));
  }

  #parameterType(schema: Schema): string {
    if (schema.type === 'array') return 'Text';
    if (schema.type === 'string' && schema.enum === undefined) return 'Text';
    return this.#models.request(schema, '');
  }

  /** The type of its rows or of its answer, and how it is read. */
  #answer(call: Call): [kind: string, form: '_list' | '_one' | '_text'] {
    const answer = Object.values(call.operationOf.responses)[0]!.content?.['application/json']?.schema;
    if (answer === undefined) return ['None', '_text'];
    const whole = this.#models.resolved(answer);
    const data = whole.properties?.['data'] ?? answer;
    const first = data.anyOf?.[0] ?? data;
    const schema = this.#models.resolved(first);
    const name = call.row ?? camel(call.operation.replace(/^(?:get|post|put|delete)/, ''));
    if (schema.type === 'array') return [this.#models.row(schema.items!, name), '_list'];
    if (schema.properties === undefined) return ['Row', '_one'];
    return [this.#models.row(first, name), '_one'];
  }

  #docstring(call: Call, args: readonly Argument[]): string {
    const { summary, description } = call.operationOf;
    const about = args.filter((each) => each.about !== '');
    const listed = about.map((each) => `            ${folded(`${each.name}: ${each.about}`, ' '.repeat(16))}\n`);
    const text = `${firstUpper(oneLine(summary))}. ${oneLine(description)}`;
    const wait = this.#async ? '(await ' : '';
    const example = this.#async
      ? call.example.replace(/^(client\.[\w.]+\((?:[^()]|\([^()]*\))*\))/, `${wait}$1)`)
      : call.example;
    return `        """${folded(escaped(text), ' '.repeat(8))}
${listed.length === 0 ? '' : `\n        Args:\n${listed.map(escaped).join('')}`}
        >>> ${example}
        """`;
  }

  #push(): string {
    const [def, wait] = this.#async ? ['async def', 'await '] : ['def', ''];
    return `    ${def} push(self, messages: Union[IngestMessage, Mapping[str, Any], Sequence[Union[IngestMessage, Mapping[str, Any]]]], *, strict: bool = False, **more: Any) -> IngestReceipt:
        """Pushes one ingest message or several; returns when they are committed. Sending the same again changes nothing.

        With \`strict\`, messages with names that the catalogue does not know are rejected. Needs a key with the scope ingest.

        >>> ${wait}client.ingest.push({"book": "draftkings", "polled_at": "2026-11-20T18:00:00Z", "scope": "none", "events": []})
        """
        return IngestReceipt(${wait}self._calls._push(messages, {"strict": strict or None, **more}))
`;
  }

  /** What other clients look for beside the prices. */
  #lines(): string {
    const wait = this.#async ? 'await ' : '';
    const def = this.#async ? 'async def' : 'def';
    return ['opening', 'closing']
      .map(
        (
          name,
        ) => `    ${def} ${name}(self, event_id: str, *, sportsbook: Optional[Text] = None, **more: Any) -> EventLines:
        """The same as \`client.${name}.get\`.

        >>> ${wait}client.odds.${name}("nba_lakers_celtics_2026-11-20")
        """
        return ${wait}${camel(name)}Resource(self._calls).get(event_id, sportsbook=sportsbook, **more)
`,
      )
      .join('\n');
  }

  #streams(): string {
    const stream = this.#async ? 'AsyncStream' : 'Stream';
    const filters = this.#streamParameters.filter(
      ({ name, in: where }) => where === 'query' && !['channel', 'resume', 'event'].includes(name),
    );
    const signature = ['event', ...filters.map(({ name }) => name)]
      .map((name) => {
        const parameter = this.#streamParameters.find((each) => each.name === name)!;
        return `, ${pythonName(name)}: Optional[${this.#parameterType(parameter.schema)}] = None`;
      })
      .join('');
    const asked = ['event', ...filters.map(({ name }) => name)]
      .map((name) => `"${name}": ${pythonName(name)}`)
      .join(', ');
    const about = filters.map(({ name, description = '' }) =>
      escaped(`            ${folded(`${pythonName(name)}: ${oneLine(description)}`, ' '.repeat(16))}\n`),
    );
    const methods = Object.entries(STREAMS).map(([name, { channel, about: text, example }]) => {
      const first = name === 'odds';
      return `    def ${name}(self, *${signature}, **more: Any) -> ${stream}:
        """${text}${first ? ` Filters:\n\n        Args:\n${about.join('')}` : ' Filters are those of `odds`.\n'}
        >>> ${this.#async ? 'async ' : ''}${example}
        """
        return self.open("/stream", channel="${channel}", ${asked
          .split(', ')
          .map((each) => each.replace(/"(\w+)": (\w+)/, '$1=$2'))
          .join(', ')}, **more)
`;
    });
    return `class Streams(Resource):
    """Opens streams: each is an iterator of events that reconnects and goes on exactly where it was, with a live table."""

${methods.join('\n')}
    def event(self, event_id: str, **more: Any) -> ${stream}:
        """The prices of one game; \`odds\` has the filters.

        >>> ${this.#async ? 'async ' : ''}for event in client.stream.event("nba_lakers_celtics_2026-11-20"): print(event)
        """
        return self.odds(event=event_id, **more)

    def open(
        self,
        path: str,
        *,
        position: Optional[Union[str, int]] = None,
        first_tries: Optional[int] = 5,
        silence_s: float = 60.0,
        **filters: Any,
    ) -> ${stream}:
        """Any stream of the server. All others take these arguments, too.

        Args:
            position: goes on after it, as \`stream.position\` or \`event.id\` said it. What is too old to go on from is told
                by a \`snapshot_required\`, and the whole state follows.
            first_tries: failures in a row before it ever stood after which it raises the last one, about 15 s; None waits
                for ever, as it always does once it stood.
            silence_s: longest silence; the server sends a heartbeat every 30 s.

        >>> ${this.#async ? 'async ' : ''}for event in client.stream.open("/stream", channel="odds", league="nba"): print(event.kind)
        """
        return self._calls._stream(path, filters, position, first_tries, silence_s)

`;
  }
}

/** Names of the types of what is sent. */
const REQUESTS: Readonly<Record<string, string>> = {
  'postGrade.bets': 'SettledBet',
  'postClv.bets': 'Bet',
  'postAccountBets.bets': 'NewBet',
  'postAccountAlerts.filters': 'NewAlertFilters',
  'postAccountAlerts.target': 'NewAlertTarget',
  'patchAccountAlertsId.filters': 'NewAlertFilters',
  'patchAccountAlertsId.target': 'NewAlertTarget',
};

/** Requests with a body that may be sent again: nothing happens twice. */
const AGAIN = new Set([
  'postOddsBatch',
  'postClv',
  'postGrade',
  'postAccountBets',
  'postAccountBetsCsv',
  'postDeeplinksBatch',
]);

function csv({ verb, operationOf }: Call): boolean {
  return verb === 'GET' && Object.values(operationOf.responses)[0]!.content?.['text/csv'] !== undefined;
}

/** `/historical/odds/closing` is `historical.odds_closing`. */
function derived(path: string, verb: string, operation: string): Method {
  const [resource = '', ...rest] = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const words = [...(verb === 'get' ? [] : [verb]), ...rest].map(snake);
  const name = words.join('_') || 'get';
  return { resource: snake(resource), name, operation, example: `client.${snake(resource)}.${name}()` };
}

function signatureOf(args: readonly Argument[]): string {
  const needed = args.filter((each) => each.needed);
  const places = args.filter((each) => !each.needed && each.place === 'path');
  const others = args.filter((each) => !each.needed && each.place !== 'path');
  const optional = (each: Argument) =>
    saysNull(each)
      ? `, ${each.name}: Union[${each.type}, Unset] = UNSET`
      : `, ${each.name}: ${optionalOf(each.type)} = None`;
  return [
    ...needed.map((each) => `, ${each.name}: ${each.type}`),
    ...places.map(optional),
    ...(others.length > 0 ? [', *'] : []),
    ...others.map(optional),
  ].join('');
}

/** Of a field that may be null, None is an answer of its own: it takes back what was there. */
function saysNull({ place, type }: Argument): boolean {
  return place === 'body' && type.startsWith('Optional[');
}

function optionalOf(type: string): string {
  return type.startsWith('Optional[') || type === 'Any' ? type : `Optional[${type}]`;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
}

function firstUpper(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
}
