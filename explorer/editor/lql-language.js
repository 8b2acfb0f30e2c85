import { StreamLanguage } from '@codemirror/language';

/** @import { StringStream } from '@codemirror/language' */

/** Where in a clause the reader is. @typedef {{ place: 'start' | 'time' | 'chart' | 'from' | 'value', isQuoted: boolean }} LqlState */

/** What each clause goes on with. */
const CLAUSES = /** @type {const} */ ({
  f: 'from',
  from: 'from',
  s: 'value',
  select: 'value',
  c: 'chart',
  chart: 'chart',
  t: 'time',
  timestamp: 'time',
});

/** The colours of LQL: it says what kind of thing stands where, and judges nothing. */
export const lqlLanguage = StreamLanguage.define({
  name: 'lql',
  startState: () => /** @type {LqlState} */ ({ place: 'start', isQuoted: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.isQuoted) return readQuoted(stream, state);
    if (stream.eatSpace()) {
      state.place = 'start';
      return null;
    }
    if (stream.sol()) state.place = 'start';
    if (stream.match(/^~?"/)) {
      state.isQuoted = true;
      return readQuoted(stream, state);
    }
    switch (state.place) {
      case 'start':
        return readStart(stream, state);
      case 'from':
        stream.match(/^\w+/) || stream.next();
        return 'typeName';
      case 'time':
        return readTime(stream);
      case 'chart':
        return readChart(stream);
      case 'value':
        return readValue(stream);
      default:
        return unreachable(state.place);
    }
  },
});

/** @param {StringStream} stream @param {LqlState} state */
function readQuoted(stream, state) {
  while (!stream.eol()) {
    const character = stream.next();
    if (character === '\\') stream.next();
    else if (character === '"') {
      state.isQuoted = false;
      break;
    }
  }
  return 'string';
}

/** @param {StringStream} stream @param {LqlState} state */
function readStart(stream, state) {
  if (stream.match(/^-(?=\S)/)) return 'operator';
  const clause = stream.match(/^(?:f|from|s|select|c|chart|t|timestamp)(?=:)/);
  if (Array.isArray(clause)) {
    stream.eat(':');
    state.place = CLAUSES[/** @type {keyof typeof CLAUSES} */ (clause[0])];
    return 'keyword';
  }
  if (stream.match(/^[\w.]+(?=:)/)) {
    state.place = 'value';
    return 'propertyName';
  }
  stream.match(/^\S+/);
  return 'string';
}

/** @param {StringStream} stream */
function readTime(stream) {
  if (stream.match(/^(?::?[<>]=?|\.\.)/)) return 'operator';
  if (stream.match(/^(?:now|today|yesterday|(?:last|this)@\w*)/)) return 'atom';
  stream.match(/^(?:(?!\.\.)\S)+/) || stream.next();
  return 'number';
}

/** @param {StringStream} stream */
function readChart(stream) {
  if (stream.match(/^\w+(?=\()/)) return 'keyword';
  if (stream.match(/^(?:t|timestamp)::\w*/)) return 'atom';
  if (stream.match(/^[()*]/)) return 'operator';
  stream.match(/^[\w.]+/) || stream.next();
  return 'propertyName';
}

/** @param {StringStream} stream */
function readValue(stream) {
  if (stream.match(/^(?::@>~?|:[<>]=?|:~|:|\.\.|@)/)) return 'operator';
  if (stream.match(/^(?:NULL|true|false)(?=\s|$)/)) return 'atom';
  if (stream.match(/^\d[\d\-T:Z+]*(?:\.\d+)?(?=\s|$|\.\.)/)) return 'number';
  stream.match(/^(?:(?!\.\.)[^\s:@])+/) || stream.next();
  return 'string';
}

/** @param {never} place @returns {never} */
function unreachable(place) {
  throw new TypeError(`place ${place}`);
}
