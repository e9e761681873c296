// An origin's local storage and IndexedDB, out and in again.
(() => {
  const MOST_RECORDS = 20_000;

  // Values that JSON does not have are marked with a `$`-key; throws for what cannot be carried at all.
  function encoded(value) {
    if (value === undefined) return { $undefined: true };
    if (typeof value === 'bigint') return { $bigint: String(value) };
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof Date) return { $date: value.getTime() };
    if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
    if (value instanceof Map) return { $map: [...value].map(([key, one]) => [encoded(key), encoded(one)]) };
    if (value instanceof Set) return { $set: [...value].map(encoded) };
    if (value instanceof ArrayBuffer) return { $bytes: toBase64(new Uint8Array(value)), $type: 'ArrayBuffer' };
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      return { $bytes: toBase64(bytes), $type: value.constructor.name };
    }
    if (Array.isArray(value)) return value.map(encoded);
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && prototype.constructor?.name !== 'Object') throw new TypeError(prototype.constructor?.name);
    const entries = Object.entries(value).map(([key, one]) => [key, encoded(one)]);
    return entries.some(([key]) => key.startsWith('$')) ? { $object: entries } : Object.fromEntries(entries);
  }

  function decoded(value) {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(decoded);
    if ('$undefined' in value) return undefined;
    if ('$bigint' in value) return BigInt(value.$bigint);
    if ('$number' in value) return Number(value.$number);
    if ('$date' in value) return new Date(value.$date);
    if ('$regexp' in value) return new RegExp(...value.$regexp);
    if ('$map' in value) return new Map(value.$map.map(([key, one]) => [decoded(key), decoded(one)]));
    if ('$set' in value) return new Set(value.$set.map(decoded));
    if ('$bytes' in value) return fromBytes(value);
    if ('$object' in value) return Object.fromEntries(value.$object.map(([key, one]) => [key, decoded(one)]));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decoded(one)]));
  }

  function toBase64(bytes) {
    let text = '';
    for (let start = 0; start < bytes.length; start += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
    }
    return btoa(text);
  }

  function fromBytes({ $bytes, $type }) {
    const buffer = Uint8Array.from(atob($bytes), (one) => one.charCodeAt(0)).buffer;
    return $type === 'ArrayBuffer' ? buffer : new globalThis[$type](buffer);
  }

  function done(request) {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('another tab holds the database open'));
    });
  }

  function finished(transaction) {
    return new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  async function readDatabase({ name, version }, skipped) {
    const database = await done(indexedDB.open(name));
    try {
      const stores = [];
      for (const storeName of database.objectStoreNames) {
        stores.push(await readStore(database.transaction(storeName).objectStore(storeName), `${name}/${storeName}`, skipped));
      }
      return { name, version: database.version ?? version, stores };
    } finally {
      database.close();
    }
  }

  async function readStore(store, path, skipped) {
    const [keys, values] = await Promise.all([done(store.getAllKeys(null, MOST_RECORDS)), done(store.getAll(null, MOST_RECORDS))]);
    const records = [];
    keys.forEach((key, index) => {
      try {
        const record = { value: encoded(values[index]) };
        if (store.keyPath === null) record.key = encoded(key);
        records.push(record);
      } catch (error) {
        skipped.push(`${path}: ${error.message}`);
      }
    });
    if (keys.length === MOST_RECORDS) skipped.push(`${path}: more than ${MOST_RECORDS} records`);
    const indexes = [...store.indexNames].map((name) => {
      const { keyPath, multiEntry, unique } = store.index(name);
      return { name, keyPath, multiEntry, unique };
    });
    return { name: store.name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, records };
  }

  async function writeDatabase({ name, version, stores }) {
    await done(indexedDB.deleteDatabase(name));
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const { name: storeName, keyPath, autoIncrement, indexes = [] } of stores) {
        const store = opening.result.createObjectStore(storeName, { keyPath: keyPath ?? null, autoIncrement });
        for (const { name: index, keyPath: path, multiEntry, unique } of indexes) {
          store.createIndex(index, path, { multiEntry, unique });
        }
      }
    };
    const database = await done(opening);
    try {
      for (const { name: storeName, records = [] } of stores) {
        const transaction = database.transaction(storeName, 'readwrite');
        const store = transaction.objectStore(storeName);
        for (const { key, value } of records) {
          if (store.keyPath === null) store.put(decoded(value), decoded(key));
          else store.put(decoded(value));
        }
        await finished(transaction);
      }
    } finally {
      database.close();
    }
  }

  return {
    async read() {
      const skipped = [];
      const items = Object.keys(localStorage).map((name) => ({ name, value: localStorage.getItem(name) }));
      const databases = [];
      for (const database of await indexedDB.databases()) {
        try {
          databases.push(await readDatabase(database, skipped));
        } catch (error) {
          skipped.push(`${database.name}: ${error.message}`);
        }
      }
      return { localStorage: items, indexedDB: databases, skipped };
    },

    // What the origin had is replaced where a name is the same, and left alone where it is not.
    async write(items, databases) {
      const skipped = [];
      for (const { name, value } of items) localStorage.setItem(name, value);
      for (const database of databases) {
        try {
          await writeDatabase(database);
        } catch (error) {
          skipped.push(`${database.name}: ${error.message}`);
        }
      }
      return skipped;
    },
  };
})()
