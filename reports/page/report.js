// Draws the page from the report that it holds. Texts reach the page as text only, never as markup.
'use strict';

const report = JSON.parse(document.getElementById('report').textContent);
const evidenceOf = new Map(report.evidence.map((one) => [one.claim, one]));
const claimOf = new Map(report.claims.map((one) => [one.id, one]));
const severities = ['privacy', 'privacy_at_extreme_parameters', 'accuracy', 'privacy_where_delta_is_near_1', 'proof_step', 'slip'];
const words = (key) => (key ?? '').replaceAll('_', ' ');
const headings = {
  'privacy': 'Privacy broken at parameters that people use',
  'privacy_at_extreme_parameters': 'Privacy broken at extreme parameters only',
  'accuracy': 'Accuracy, a rate or a lower bound not as stated',
  'privacy_where_delta_is_near_1': 'Privacy broken only where delta is near 1',
  'proof_step': 'Steps of proofs; what they are to prove stands',
  'slip': 'Slips',
};

// ---- Small parts

// An element with attributes and children, which are elements or texts.
function make(tag, attributes = {}, ...children) {
  const svg = ['svg', 'path', 'line', 'circle', 'text', 'g', 'title', 'polygon'].includes(tag);
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function number(value) {  // 4 digits; texts are "inf", "-inf" and "nan", the largest number is infinity too
  if (value === Number.MAX_VALUE) return '\u221e';
  if (typeof value !== 'number') return String(value).replace('inf', '\u221e');
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  if (value < 1 && 1 - value < 5e-5) return `1 - ${number(1 - value)}`;
  const text = value.toPrecision(4);
  const [mantissa, power] = Number(text).toExponential().split('e').map(Number);
  if (Math.abs(power) < 5) return String(Number(text));
  const raised = `10${[...String(power)].map((c) => superscripts[c]).join('')}`;
  return Math.abs(mantissa) === 1 ? `${mantissa < 0 ? '-' : ''}${raised}` : `${mantissa}\u00b7${raised}`;
}
const superscripts = Object.fromEntries([...'0123456789-+'].map((c, k) => [c, [...'\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b'][k] ?? '']));

const greek = Object.fromEntries(('alpha \u03b1 beta \u03b2 gamma \u03b3 delta \u03b4 epsilon \u03b5 zeta \u03b6 eta \u03b7 theta \u03b8 iota \u03b9 kappa \u03ba ' +
  'lambda \u03bb mu \u03bc xi \u03be rho \u03c1 sigma \u03c3 tau \u03c4 psi \u03c8 Phi \u03a6 Delta \u0394 Gamma \u0393').split(' ')
  .reduce((pairs, word, k, all) => (k % 2 ? pairs : [...pairs, [word, all[k + 1]]]), []));

// Where the bracket that opens at `start` closes, or -1.
function closing(text, start) {
  for (let k = start, depth = 0; k < text.length; ++k) {
    if (text[k] === '(') ++depth;
    if (text[k] === ')' && --depth === 0) return k;
  }
  return -1;
}

// A statement with its formulas set: Greek letters, powers, indices, roots and signs. Names of claims, and
// parts of them such as lemma.kappa, stay as they are.
function typeset(text) {
  const out = document.createDocumentFragment();
  const names = /\b[a-z_]{3,}(?:\.[a-z0-9_]{3,})+/g;
  if (text.search(names) >= 0) {
    let from = 0;
    for (const {0: name, index} of text.matchAll(names)) {
      out.append(typeset(text.slice(from, index)), claimOf.has(name) ? link(name) : make('code', {}, name));
      from = index + name.length;
    }
    out.append(typeset(text.slice(from)));
    return out;
  }
  const plain = (part) => part.replace(/<=/g, '\u2264').replace(/>=/g, '\u2265').replace(/\|\|/g, '\u2016')
    .replace(/(?<![\w.])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)\b/g, (_, mantissa, sign, power) => number(Number(`${mantissa}e${sign}${power}`)))
    .replace(/\b([A-Za-z]+)\b/g, (word) => greek[word] ?? word);
  const mathml = (tag, ...children) => {
    const element = document.createElementNS('http://www.w3.org/1998/Math/MathML', tag);
    element.append(...children);
    return element;
  };
  const inside = (part) => {  // of a root: a row of texts, powers as MathML
    const row = mathml('mrow');
    const parts = typeset(part);
    for (const node of [...parts.childNodes]) {
      if (node.nodeName === 'SUP' || node.nodeName === 'SUB')
        row.append(mathml(node.nodeName === 'SUP' ? 'msup' : 'msub', mathml('mrow'), mathml('mtext', node.textContent)));
      else if (node.nodeName === 'math') row.append(...node.childNodes);
      else row.append(mathml('mtext', node.textContent));
    }
    return row;
  };
  let from = 0;
  const pattern = /sqrt\(|sqrt ?([A-Za-z0-9]\w*)|[\^_]\(|[\^_]\{([^{}]*)\}|\^(-?[A-Za-z0-9.*+]*[A-Za-z0-9*+])|_([A-Za-z0-9*+]+)/g;
  for (let match; (match = pattern.exec(text)) !== null;) {
    const opens = match[0].endsWith('(');
    const end = opens ? closing(text, match.index + match[0].length - 1) : match.index + match[0].length - 1;
    if (end < 0) continue;
    // A name such as first_phase is no index.
    if (match[0][0] === '_' && /[a-z]{3,}$/i.test(text.slice(0, match.index)) && !greek[/[A-Za-z]+$/.exec(text.slice(0, match.index))[0]]) continue;
    out.append(plain(text.slice(from, match.index)));
    const part = opens ? text.slice(match.index + match[0].length, end) : match[1] ?? match[2] ?? match[3] ?? match[4];
    if (match[0].startsWith('sqrt')) {
      out.append(mathml('math', mathml('msqrt', inside(part))));
    } else {
      const raised = document.createElement(match[0][0] === '^' ? 'sup' : 'sub');
      raised.append(typeset(part));
      out.append(raised);
    }
    from = pattern.lastIndex = end + 1;
  }
  out.append(plain(text.slice(from)));
  return out;
}

const verdictOf = (claim) => evidenceOf.get(claim.id)?.verdict ?? 'not_run';
const standing = (claim) =>
  verdictOf(claim) === 'not_run' ? 'left out' : evidenceOf.get(claim.id).as_expected ? 'as expected' : 'UNEXPECTED';
const link = (id) => make('a', {href: `#claim=${encodeURIComponent(id)}`},
  make('code', {}, ...id.split(/(?<=[._])/).flatMap((part, k) => (k ? [make('wbr'), part] : [part]))));
const badge = (verdict) => make('span', {class: `badge ${verdict}`}, verdict.replace('_', ' '));
const paper = (claim) => claim.id.split('.')[0];
const line = (label, content) => make('p', {}, make('b', {}, `${label}: `), content);

const citation = ({name, text}) => (text ? `${name} (${text})` : name);

// How many times what is claimed, of a claim that is refuted.
function excess(claim) {
  const evidence = evidenceOf.get(claim.id);
  return evidence?.verdict === 'refuted' ? evidence.tightness : 0;
}
const isFactor = (claim, times) => claim.kind !== 'rate' && times > 0 && times < Number.MAX_VALUE;

// ---- Sections

function drawContext() {
  const context = report.context;
  document.getElementById('context').append(
    `${report.claims.length} claims, plan ${context.plan}, seed ${context.seed}; dpverify ${context.version}, commit ` +
    `${context.git.commit.slice(0, 12)}${context.git.dirty ? ' with changes' : ''}.`);
}

const recordOf = (set, k) => (set.features[k] ? [...set.features[k], set.labels[k]] : null);
const sameRecord = (a, b) => a && b && a.every((value, j) => value === b[j]);
const inNumbers = ([...values]) => {
  const y = values.pop();
  return `${values.length === 1 ? `x = ${number(values[0])}` : `x = (${values.map(number).join(', ')})`}, y = ${number(y)}`;
};
const readable = 5;  // numbers of a record that are read at a glance
const whereItDiffers = ({data, neighbour}) => data.features.findIndex((_, k) => !sameRecord(recordOf(data, k), recordOf(neighbour, k)));

// "record 3 is x = (0.5, 1), y = 1, and x = (-0.5, 1), y = 1 in the neighbour"; empty if it is not so simple.
function changedRecord(pair) {
  const k = whereItDiffers(pair);
  if (k < 0 || pair.data.features.length !== pair.neighbour.features.length) return '';
  const [one, other] = [recordOf(pair.data, k), recordOf(pair.neighbour, k)];
  return one.length > readable ? `record ${k + 1} changes in ${one.filter((value, j) => value !== other[j]).length} of its ${one.length} numbers`
    : `record ${k + 1} is ${inNumbers(one)}, and ${inNumbers(other)} in the neighbour`;
}

// The same with what else there is: "10 records; record 3 ...; the other 9 are all x = (0, 0), y = 0".
function pairInWords(pair) {
  const {data, neighbour} = pair, count = data.features.length;
  const head = `${count} ${count === 1 ? 'record' : 'records'}`;
  if (count !== neighbour.features.length) return `${head}, and ${neighbour.features.length} in the neighbour`;
  const changed = changedRecord(pair), k = whereItDiffers(pair);
  if (!changed) return head;
  const rest = data.features.map((_, j) => recordOf(data, j)).filter((_, j) => j !== k);
  if (rest.length === 0 || rest[0].length > readable) return `${head}; ${changed}`;
  if (rest.every((record) => sameRecord(record, rest[0])))
    return `${head}; ${changed}; ${rest.length === 1 ? 'the other one is' : `the other ${rest.length} are all`} ${inNumbers(rest[0])}`;
  return `${head}; ${changed}; ${rest.length <= 3 ? `the others are ${rest.map(inNumbers).join('; ')}` : `the other ${rest.length} are listed with the claim`}`;
}

// What the pair shown shows by itself, where another one, which is seen more rarely, shows more.
function onThePairShown(evidence) {
  const epsilon = measured(evidence, 'epsilon_on_the_pair_shown');
  return typeof epsilon === 'number' && epsilon < 0.999 * evidence.estimate
    ? `; this pair shows epsilon ${number(epsilon)}, and one where it is seen more rarely the figure above` : '';
}

// By how much, and of what. Of a floor, the factor is that of other numbers.
function byHowMuch(claim, evidence) {
  const {estimate, claimed} = evidence, times = `${number(excess(claim))} times what is claimed`;
  if (claim.kind === 'privacy') {
    const delta = measured(evidence, 'delta_claimed');
    return `epsilon is at least ${number(estimate)}${delta > 0 ? ` at delta = ${number(delta)}` : ''}, claimed is ${number(claimed)}: ${number(excess(claim))} times`;
  }
  if (claim.kind !== 'lemma' || typeof estimate !== 'number' || typeof claimed !== 'number') return times;
  const most = measured(evidence, 'largest_left_right_found');
  return `${times}: ${number(estimate)} against ${number(claimed)}` +
    (most > 1.05 * excess(claim) && most < Number.MAX_VALUE ? `; up to ${number(most)} times elsewhere in the range` : '');
}

// With a capital, unless it begins with a letter of a formula; a number in brackets is that of a display.
function asHeading(text) {
  if (text[0] === '(') return `Display ${text}`;
  return /^[a-z]{2,}|^a /.test(text) && !greek[/^[a-z]+/.exec(text)[0]] ? text[0].toUpperCase() + text.slice(1) : text;
}

// What a statement claims, and the remark in brackets at its end on how this was checked.
function claimAndRemark(statement) {
  if (!statement.endsWith(')')) return [statement, ''];
  for (let k = statement.length - 1, depth = 0; k > 0; --k) {
    depth += (statement[k] === ')') - (statement[k] === '(');
    if (depth === 0) {
      const remark = statement.slice(k + 1, -1);
      return /\.$/.test(remark) && /[.:] $/.test(statement.slice(0, k)) ? [statement.slice(0, k - 1), remark] : [statement, ''];
    }
  }
  return [statement, ''];
}

// What was claimed and found, and what that means; below the claim itself only the latter.
function findingCard(claim, whole = true) {
  const evidence = evidenceOf.get(claim.id);
  const {severity, why, touches, repair, repaired_by: repairedBy, same_as: sameAs} = claim.finding;
  const witness = evidence?.witness;
  const [claimed, remark] = claimAndRemark(claim.statement);
  const holds = repairedBy ? line('Holds with it', link(repairedBy)) : null;
  const same = sameAs ? line('Same as', link(sameAs)) : null;
  const style = {class: `card ${severity.startsWith('privacy') ? 'privacy' : severity}`, ...(whole ? {id: `card-${claim.id}`} : {})};
  if (!whole)
    return make('div', style, line('Severity', headings[severity]), why ? line('Why it fails', typeset(why)) : null,
      line('Touches', typeset(touches)), line('Repair', typeset(repair)), holds, same);
  return make('div', style,
    make('h4', {}, typeset(asHeading(touches))),
    line('Claimed', typeset(claimed)),
    why ? line('Why it fails', typeset(why)) : null,
    evidence ? line('Found', isFactor(claim, excess(claim)) ? typeset(byHowMuch(claim, evidence)) : typeset(evidence.reason)) : null,
    witness?.explanation ? line('Counterexample', typeset(witness.explanation)) : null,
    witness?.pair ? line('Pair', typeset(pairInWords(witness.pair) + onThePairShown(evidence))) : null,
    line('Repair', typeset(repair)),
    same,
    alike(claim).length ? line('The same elsewhere', listed(alike(claim).map((other) => make('span', {}, link(other.id),
      isFactor(other, excess(other)) ? ` (${number(excess(other))} times)` : '')))) : null,
    make('details', {}, make('summary', {}, 'Where, and how to repeat it'),
      line('Claim', link(claim.id)),
      line('Where', typeset(claim.source.where)),
      remark ? line('As checked', typeset(remark)) : null,
      // Of a lemma, its counterexample says them.
      witness?.pair && witness.parameters?.length ? line('At', typeset(parametersInWords(witness))) : null,
      holds,
      evidence?.reproduce ? line('Repeat', make('code', {}, evidence.reproduce)) : null));
}

// One line a finding: what falls, how gravely, by how much, where it is seen, and the repair.
function atAGlance(claim) {
  const evidence = evidenceOf.get(claim.id), {witness} = evidence;
  const found = !isFactor(claim, excess(claim)) ? evidence.reason.replace(/ \([^()]*\)/g, '').split(/; |\. /)[0].replace(/\.$/, '')
    : claim.kind === 'privacy' ? byHowMuch(claim, evidence).replace(/: [^:]*$/, '') : `${number(excess(claim))} times the claim`;
  const seen = witness?.explanation && !found.includes(witness.explanation) ? [witness.explanation] : [];
  if (witness?.pair) seen.push(changedRecord(witness.pair));
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}. `.replace(/ the left side is (\S+) and the right side /, ': $1 against ');
  return make('li', {}, make('a', {href: `#card-${claim.id}`}, typeset(asHeading(claim.finding.touches))),
    make('span', {class: 'quiet'}, ` (${words(claim.finding.severity)}) `),
    typeset([found, seen.filter(Boolean).join('; ')].filter(Boolean).map(sentence).join('')), make('i', {}, typeset(claim.finding.repair)));
}

// The findings of the same defect in other claims.
const alike = (claim) => report.claims.filter((other) => other.finding?.same_as === claim.id);
const worstExcess = (claim) => Math.max(excess(claim), ...alike(claim).map(excess));

function listed(elements) {
  const out = document.createDocumentFragment();
  elements.forEach((element, k) => out.append(...(k ? [', ', element] : [element])));
  return out;
}

const parametersInWords = (witness) => witness.parameters.map(({name, value}) => `${name} = ${number(value)}`).join(', ');

function drawFindings() {
  const section = document.getElementById('findings');
  const found = report.claims.filter((claim) => claim.finding);
  const papers = make('nav', {'aria-label': 'Papers'});
  section.append(papers);
  const glances = make('div');
  if (found.length > 0)
    section.append(make('p', {class: 'quiet'}, 'The gravest five of each paper, each defect once: by severity, then by how many times the claim is exceeded, there or by the same defect elsewhere; the repair in italics. The links lead to more on each.'), glances);
  if (found.length === 0) section.append(make('p', {}, 'This report holds no finding about a paper.'));
  for (const key of [...new Set(found.map(paper))]) {
    const all = found.filter((claim) => paper(claim) === key);
    all.sort((a, b) => severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity) ||
      Number('same_as' in a.finding) - Number('same_as' in b.finding) || worstExcess(b) - worstExcess(a));
    const name = all.find((claim) => claim.source.paper === key)?.source.name ?? key;
    const counts = severities.map((severity) => [all.filter((claim) => claim.finding.severity === severity).length, headings[severity]])
      .filter(([count]) => count > 0).map(([count, heading]) => `${heading}: ${count}.`);
    const title = all.find((claim) => claim.source.title)?.source.title;
    section.append(make('h3', {id: `findings-${key}`}, name), ...(title ? [make('p', {}, make('cite', {}, typeset(title)))] : []), make('p', {class: 'quiet'}, `${all.length} findings. ${counts.join(' ')}`));
    // Each defect once, and only what was seen to fail.
    const gravest = all.filter((claim) => !claim.finding.same_as && claim.finding.severity !== 'slip' && verdictOf(claim) === 'refuted').slice(0, 5);
    glances.append(make('h3', {}, make('a', {href: `#findings-${key}`}, name)), make('ol', {class: 'glance', id: `glance-${key}`}, ...gravest.map(atAGlance)));
    section.append(...gravest.map((claim) => make('div', {class: 'gravest'},
      make('p', {class: 'severity'}, `${gravest.indexOf(claim) + 1}. ${headings[claim.finding.severity]}`), findingCard(claim))));
    for (const severity of severities) {
      const these = all.filter((claim) => claim.finding.severity === severity && !gravest.includes(claim));
      if (these.length === 0) continue;
      const more = these.every((claim) => claim.finding.same_as) ? ' where a defect shows again'
        : gravest.some((claim) => claim.finding.severity === severity) ? ' more' : '';
      section.append(make('details', {}, make('summary', {}, `${headings[severity]}: ${these.length}${more}`),
        ...these.map((claim) => findingCard(claim))));
    }
    papers.append(make('a', {href: `#findings-${key}`}, name));
  }
}

// A factor that four digits do not tell from 1 is said to be 1.001: what is seen at a smaller fault is seen there.
const faultInDigits = (kind, fault) => number(kind === 'rate' ? fault : Math.max(fault, 1.001));

function drawHealth() {
  const section = document.getElementById('health');
  const unexpected = report.claims.filter((claim) => standing(claim) === 'UNEXPECTED');
  section.append(make('p', {class: unexpected.length ? 'bad' : 'good'}, unexpected.length
    ? `${unexpected.length} of ${report.claims.length} verdicts are not as expected:`
    : 'Every verdict is as expected.'));
  if (unexpected.length)
    section.append(make('ul', {}, ...unexpected.map((claim) => make('li', {}, link(claim.id), ` is ${verdictOf(claim)}. `, evidenceOf.get(claim.id).reason))));
  const summary = report.summary;
  if (summary.mutants)
    section.append(make('p', {}, `${summary.mutants_refuted} of ${summary.mutants} planted faults are seen.`));
  const kinds = ['sensitivity', 'privacy', 'rate', 'lemma', 'floor', 'experiment'];
  const rows = kinds.map((kind) => {
    const held = report.claims.filter((claim) => claim.kind === kind && claim.expectation === 'holds' && verdictOf(claim) === 'consistent');
    const faults = held.map((claim) => evidenceOf.get(claim.id).smallest_fault).filter((fault) => typeof fault === 'number').sort((a, b) => a - b);
    const of = (share) => (faults.length ? (kind === 'rate' ? '' : '\u00d7 ') + faultInDigits(kind, faults[Math.floor(share * (faults.length - 1))]) : '-');
    return [kind, held.length, of(0), of(0.5), of(1), held.length - faults.length];
  }).filter((row) => row[1] > 0);
  section.append(make('p', {}, 'How hard the checks of what holds looked: the smallest fault that each would have seen, a factor of the claim or, of a rate, a difference of exponents. ' +
      'None: the check names no such fault.'),
    table(['kind', 'consistent', 'best', 'median', 'worst', 'none'], rows));
}

function table(columns, rows) {
  return make('div', {class: 'scroll'}, make('table', {},
    make('thead', {}, make('tr', {}, ...columns.map((column) => make('th', {scope: 'col'}, column)))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((cell) =>
      make('td', typeof cell === 'number' ? {class: 'number'} : {}, typeof cell === 'number' ? number(cell) : String(cell))))))));
}

// ---- The table of claims: filtered, sorted, and drawn piece by piece

const piece = 200;
const fields = {
  claim: (claim) => claim.id,
  verdict: verdictOf,
  standing,
  kind: (claim) => claim.kind,
  severity: (claim) => (claim.finding ? String(severities.indexOf(claim.finding.severity)) : '9'),
};

function drawClaims() {
  const section = document.getElementById('claims');
  const text = make('input', {type: 'search', placeholder: 'Words of the id or the statement', 'aria-label': 'Filter by words'});
  const choose = (label, value) => {
    const values = [...new Set(report.claims.map(value).filter(Boolean))].sort();
    const select = make('select', {'aria-label': label}, make('option', {value: ''}, label), ...values.map((one) => make('option', {value: one}, words(one))));
    return {select, matches: (claim) => select.value === '' || value(claim) === select.value};
  };
  const choices = [choose('any verdict', verdictOf), choose('any standing', standing), choose('any paper', paper),
    choose('any kind', (claim) => claim.kind), choose('any edition', (claim) => claim.edition),
    choose('any severity', (claim) => claim.finding?.severity)];
  const count = make('p', {class: 'quiet', 'aria-live': 'polite'});
  const body = make('tbody');
  const more = make('button', {class: 'more', type: 'button'}, 'Show more');
  let order = ['claim', 1], shown = [], drawn = 0;

  const drawMore = () => {
    body.append(...shown.slice(drawn, drawn + piece).map((claim) => make('tr', {},
      make('td', {}, link(claim.id)), make('td', {}, badge(verdictOf(claim))),
      make('td', {class: standing(claim) === 'UNEXPECTED' ? 'bad' : 'quiet'}, standing(claim)),
      make('td', {}, claim.kind), make('td', {}, words(claim.finding?.severity)))));
    drawn = Math.min(drawn + piece, shown.length);
    more.hidden = drawn === shown.length;
  };
  const draw = () => {
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = report.claims.filter((claim) => {
      const hay = `${claim.id} ${claim.statement}`.toLowerCase();
      return wanted.every((word) => hay.includes(word)) && choices.every((choice) => choice.matches(claim));
    });
    const [field, direction] = order;
    shown.sort((a, b) => direction * (fields[field](a) < fields[field](b) ? -1 : fields[field](a) > fields[field](b) ? 1 : 0));
    count.textContent = `${shown.length} of ${report.claims.length} claims`;
    body.replaceChildren();
    drawn = 0;
    drawMore();
  };
  const sort = (field, direction) => {
    order = [field, direction];
    for (const head of heads.values()) head.removeAttribute('aria-sort');
    heads.get(field).setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
    draw();
  };
  const heads = new Map(Object.keys(fields).map((field) => {
    const head = make('th', {scope: 'col'}, make('button', {type: 'button'}, field));
    head.firstChild.addEventListener('click', () => sort(field, order[0] === field ? -order[1] : 1));
    return [field, head];
  }));
  // Where there is no room for a head of the table.
  const sorted = make('select', {class: 'order', 'aria-label': 'Order'}, ...Object.keys(fields).map((field) => make('option', {value: field}, `by ${field}`)));
  sorted.addEventListener('change', () => sort(sorted.value, 1));
  text.addEventListener('input', draw);
  for (const {select} of choices) select.addEventListener('change', draw);
  more.addEventListener('click', drawMore);
  section.append(make('div', {class: 'filters'}, text, ...choices.map(({select}) => select), sorted), count,
    make('table', {}, make('thead', {}, make('tr', {}, ...heads.values())), body), more);
  draw();
}

// ---- Curves

const colours = ['#2f7ed8', '#c0392b', '#27915a', '#b8860b', '#7d55c7', '#0e8c8c', '#8b5e3c'];

function ticks(low, high, logarithmic) {
  const round = (value) => Number(value.toPrecision(12));
  if (!logarithmic) {  // steps of 1, 2 or 5 times a power of ten: four to nine of them
    const power = 10 ** Math.floor(Math.log10((high - low) / 4));
    const step = [5, 2, 1].map((times) => times * power).find((one) => (high - low) / one >= 4);
    return Array.from({length: Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1},
      (_, k) => round((Math.ceil(low / step - 1e-9) + k) * step));
  }
  const out = [];
  const decades = Math.log10(high) - Math.log10(low), step = Math.max(1, Math.ceil(decades / 6));
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high) + 1e-9; power += step)
    for (const times of decades < 2 ? [1, 2, 5] : [1]) out.push(round(times * 10 ** power));
  const inside = out.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  return inside.length >= 2 ? inside : [low, high];
}

// `curves` are {name, points: [[x, y], ...], band: [[x, low, high], ...]?, dashed?}.
// `mark` is an x and `level` a y that a dotted line shows; y ends at `most`.
function chart(caption, xName, yName, curves, {logX, logY, mark, level, most = Infinity}) {
  const width = 680, height = 380, left = 70, right = 190, top = 12, bottom = 46;
  // On a logarithmic scale at most 16 decades are shown.
  const highest = Math.max(...curves.flatMap((curve) => curve.points.map(([, y]) => y)).filter(Number.isFinite));
  const usable = ([x, y]) => Number.isFinite(x) && Number.isFinite(y) && (!logX || x > 0) && (!logY || (y > 0 && y >= highest * 1e-16));
  const drawn = curves.map((curve) => ({...curve, points: curve.points.filter(usable)})).filter((curve) => curve.points.length > 0);
  const all = drawn.flatMap((curve) => curve.points);
  if (all.length < 2) return null;
  const range = (values, logarithmic) => {
    const low = Math.min(...values), high = Math.max(...values);
    // What varies by less than a factor of 4 is to look level.
    if (logarithmic && high < 4 * low) return [Math.sqrt(low * high) / 2, Math.sqrt(low * high) * 2];
    return low < high ? [low, high] : [low - 1, high + 1];
  };
  const [x0, x1] = range(all.map(([x]) => x), logX);
  const levels = level > 0 && (!logY || level >= highest * 1e-16) ? [level] : [];
  let [y0, y1] = range([...all.map(([, y]) => y), ...levels], logY);
  y1 = Math.min(y1, most);
  const along = (value, low, high, log) => (log ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low)) : (value - low) / (high - low));
  const atX = (x) => left + along(x, x0, x1, logX) * (width - left - right);
  const atY = (y) => height - bottom - along(y, y0, y1, logY) * (height - top - bottom);
  const path = (points) => points.map(([x, y], k) => `${k ? 'L' : 'M'}${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`).join('');
  const svg = make('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': caption});
  for (const x of ticks(x0, x1, logX))
    svg.append(make('line', {class: 'grid', x1: atX(x), x2: atX(x), y1: top, y2: height - bottom}),
      make('text', {x: atX(x), y: height - bottom + 16, 'text-anchor': 'middle'}, number(x)));
  for (const y of ticks(y0, y1, logY))
    svg.append(make('line', {class: 'grid', x1: left, x2: width - right, y1: atY(y), y2: atY(y)}),
      make('text', {x: left - 6, y: atY(y) + 4, 'text-anchor': 'end'}, number(y)));
  svg.append(make('text', {x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle'}, xName),
    make('text', {x: 14, y: (top + height - bottom) / 2, 'text-anchor': 'middle', transform: `rotate(-90 14 ${(top + height - bottom) / 2})`}, yName));
  if (mark !== undefined && mark >= x0 && mark <= x1)
    svg.append(make('line', {x1: atX(mark), x2: atX(mark), y1: top, y2: height - bottom, stroke: 'currentColor', 'stroke-dasharray': '2 3'}));
  for (const y of levels)
    svg.append(make('line', {x1: left, x2: width - right, y1: atY(y), y2: atY(y), stroke: 'currentColor', 'stroke-dasharray': '2 3'}));
  drawn.forEach((curve, k) => {
    const colour = colours[k % colours.length];
    const band = (curve.band ?? []).filter(([x, low, high]) => usable([x, low]) && usable([x, high]));
    if (band.length > 1) {
      const clip = (y) => Math.min(Math.max(y, y0), y1);
      svg.append(make('path', {class: 'band', fill: colour,
        d: `${path(band.map(([x, low]) => [x, clip(low)]))}L${path(band.map(([x, , high]) => [x, clip(high)]).reverse()).slice(1)}Z`}));
    }
    svg.append(make('path', {class: 'curve', stroke: colour, d: path(curve.points), ...(curve.dashed ? {'stroke-dasharray': '6 4'} : {})}));
    for (const [x, y] of curve.points)
      svg.append(make('circle', {cx: atX(x), cy: atY(y), r: 2.5, fill: colour}, make('title', {}, `${curve.name}: ${number(y)} at ${xName} = ${number(x)}`)));
    svg.append(make('line', {x1: width - right + 12, x2: width - right + 32, y1: top + 10 + 18 * k, y2: top + 10 + 18 * k, stroke: colour, 'stroke-width': 2, ...(curve.dashed ? {'stroke-dasharray': '6 4'} : {})}),
      make('text', {x: width - right + 38, y: top + 14 + 18 * k}, curve.name));
  });
  return make('figure', {}, svg, make('figcaption', {}, caption));
}

const column = (one, key) => one.columns.findIndex((each) => each.key === key);
const curveOf = (one, key, extra = {}) => ({name: one.columns[column(one, key)].name, points: one.rows.map((row) => [row[0], row[column(one, key)]]), ...extra});

// The worst pair of all may be another one, of another setting.
const measured = (evidence, key) => evidence.measurements.find((one) => one.key === key)?.value;
const claimedOnThePairShown = (evidence) => measured(evidence, 'epsilon_claimed_there') ?? evidence.claimed;

function curvesOf(claim, one) {
  const first = one.columns[0].name;
  if (one.key === 'points' && column(one, 'bound') > 0) {
    const band = one.rows.map((row) => [row[0], row[column(one, 'lower')], row[column(one, 'upper')]]);
    const risk = curveOf(one, 'excess_risk', {band});
    const others = ['bound', 'data_free', 'zero_vector', 'non_private', 'lower_bound'].filter((key) => column(one, key) > 0)
      .map((key) => curveOf(one, key, {dashed: true}));
    return [
      chart(`Excess risk against the theorem's bound and the controls, with the interval of the risk.`, first, 'excess risk', [risk, ...others], {logX: true, logY: true}),
      chart('Excess risk over the bound: level where the bound is attained, falling where the run is faster.', first, 'excess risk/bound', [curveOf(one, 'excess_risk_over_bound')], {logX: true, logY: true}),
    ];
  }
  if (one.key.startsWith('delta_epsilon')) {
    const evidence = evidenceOf.get(claim.id), delta = measured(evidence, 'delta_claimed');
    const fails = delta > 0 ? ' and delta; the claim fails where a curve passes above the point where they cross.'
      : delta === 0 ? '; the claim fails where a curve is above 0 there.' : '.';
    return [chart(`${one.name}, both ways; dotted: the claimed epsilon${fails}`, 'epsilon', 'delta', [curveOf(one, 'forward'), curveOf(one, 'backward')],
      {logX: false, logY: true, mark: claimedOnThePairShown(evidence), level: delta, most: 1})];
  }
  if (one.key === 'trade_off_curve')
    return [chart('Errors of the first (alpha) and second kind (beta) of the best attack found: upper bounds, and, dashed, what Gaussian noise of the fitted mu would leave.', 'alpha', 'beta',
      [curveOf(one, 'beta_upper'), curveOf(one, 'beta_gaussian', {dashed: true})], {logX: false, logY: false})];
  return [];
}

// ---- One claim

function datasetTable(name, data, other) {
  const columns = ['record', ...(data.features[0] ?? []).map((_, k) => `x${k + 1}`), 'y'];
  const rowOf = (set, k) => (set.features[k] ? [...set.features[k], set.labels[k]] : []);
  return make('div', {}, make('h4', {}, name), make('div', {class: 'scroll'}, make('table', {},
    make('thead', {}, make('tr', {}, ...columns.map((head) => make('th', {scope: 'col'}, head)))),
    make('tbody', {}, ...data.features.slice(0, 50).map((_, k) => {
      const mine = rowOf(data, k), theirs = rowOf(other, k);
      return make('tr', {}, make('td', {class: 'number'}, String(k + 1)),
        ...mine.map((value, j) => make('td', {class: value === theirs[j] ? 'number' : 'number differs'}, number(value))));
    })))), data.features.length > 50 ? make('p', {class: 'quiet'}, `and ${data.features.length - 50} records more`) : null);
}

function witnessBlock(witness) {
  const parameters = parametersInWords(witness);
  return make('div', {}, make('h3', {}, 'Witness'), make('p', {}, typeset(witness.explanation)),
    parameters ? line('At', typeset(parameters)) : null,
    witness.outcomes?.length ? line('Outcomes before the release', witness.outcomes.join(', ')) : null,
    witness.pair ? make('div', {class: 'pair'}, datasetTable('Dataset', witness.pair.data, witness.pair.neighbour),
      datasetTable('Its neighbour', witness.pair.neighbour, witness.pair.data)) : null);
}

function powerSentence(claim, evidence) {
  if (evidence.verdict !== 'consistent' || typeof evidence.smallest_fault !== 'number') return null;
  const fault = faultInDigits(claim.kind, evidence.smallest_fault);
  return line('How hard it looked', claim.kind === 'rate' ? `a run slower by ${fault} in the exponent would not be consistent`
    : `${claim.kind === 'floor' ? 'noise' : 'a claim'} of ${fault} times less would have been refuted`);
}

function editions(claim) {
  const stem = claim.id.slice(0, -claim.edition.length);
  const all = report.claims.filter((other) => other.id.startsWith(stem) && other.id === stem + other.edition);
  if (all.length < 2) return null;
  return make('div', {}, make('h3', {}, 'Editions'), make('div', {class: 'editions'}, ...all.map((other) =>
    make('div', other === claim ? {class: 'this'} : {}, make('p', {}, make('b', {}, other.edition), ' ', badge(verdictOf(other))),
      make('p', {}, typeset(other.statement)), other === claim ? null : link(other.id)))));
}

// Where the reader left the page for a claim: every way back leads there, though the claim that is drawn above
// moves the rest.
let steps = 0, left = {hash: '', place: 0};
addEventListener('click', (event) => {
  if (!document.getElementById('claim').hidden || !event.target.closest('a[href^="#claim="]')) return;
  left = {hash: location.hash, place: scrollY};
  history.scrollRestoration = 'manual';  // of this entry of the history
}, true);

function back() {
  const anchor = make('a', {href: '#findings'}, steps > 0 ? 'Back' : 'To the findings');
  anchor.addEventListener('click', (event) => {
    if (steps === 0) return;
    event.preventDefault();
    history.back();
  });
  return anchor;
}

function drawClaim(claim) {
  const section = document.getElementById('claim');
  const evidence = evidenceOf.get(claim.id);
  section.replaceChildren(make('h2', {tabindex: '-1'}, make('code', {}, claim.id)),
    make('p', {}, back()),
    make('p', {}, badge(verdictOf(claim)), ' ', make('span', {class: standing(claim) === 'UNEXPECTED' ? 'bad' : 'quiet'}, standing(claim)),
      evidence?.strength ? `, ${words(evidence.strength)}` : '', evidence?.reading ? `; ${evidence.reading}` : ''),
    line('Statement', typeset(claim.statement)),
    ...claim.assumptions.map((one) => line('Assumption', typeset(one))),
    line('Source', `${citation(claim.source)}; ${claim.source.where}`));
  if (evidence) {
    section.append(line('Verdict', typeset(evidence.reason)));
    for (const part of [powerSentence(claim, evidence), claim.finding ? findingCard(claim, false) : null]) if (part) section.append(part);
    if (evidence.witness) section.append(witnessBlock(evidence.witness));
    for (const one of evidence.tables) section.append(...curvesOf(claim, one).filter(Boolean));
    const figures = ['estimate', 'claimed', 'tightness', 'ceiling'].filter((name) => (evidence[name] ?? null) !== null).map((name) => [name, evidence[name]]);
    section.append(make('details', {}, make('summary', {}, 'Every figure'),
      table(['figure', 'value'], [...figures, ...evidence.measurements.map((one) => [one.name, one.value])]),
      ...evidence.tables.flatMap((one) => [make('h4', {}, one.name), table(one.columns.map((each) => each.name), one.rows)])));
  }
  const siblings = editions(claim);
  if (siblings) section.append(siblings);
  if (evidence?.reproduce) section.append(make('h3', {}, 'To repeat it'), make('pre', {}, evidence.reproduce));
  section.hidden = false;
  section.firstChild.focus();
  section.scrollIntoView();
}

function follow() {
  const match = /^#claim=(.+)$/.exec(location.hash);
  let id = null;
  try { id = match && decodeURIComponent(match[1]); } catch { id = null; }
  const claim = id === null ? undefined : claimOf.get(id);
  const section = document.getElementById('claim');
  document.title = claim ? `${claim.id} - dpverify report` : 'dpverify report';
  if (claim) drawClaim(claim);
  else section.replaceChildren(...(match ? [make('p', {class: 'bad'}, `This report has no claim ${id ?? 'of that name'}.`)] : []));
  const returns = !section.hidden && !match && location.hash === left.hash;
  section.hidden = !match;
  if (returns) requestAnimationFrame(() => scrollTo(0, left.place));
}

drawContext();
drawFindings();
drawHealth();
drawClaims();
addEventListener('hashchange', () => { ++steps; follow(); });
follow();
