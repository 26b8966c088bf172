// Bytes that the browser keeps between two visits (IndexedDB).

function request(action) {
  return new Promise((done, fail) => {
    action.onsuccess = () => done(action.result);
    action.onerror = () => fail(action.error);
  });
}

async function table(mode) {
  const opening = indexedDB.open('glnn-pages', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('files');
  return (await request(opening)).transaction('files', mode).objectStore('files');
}

/** The bytes with a name; undefined if there are none, also where the browser keeps nothing. */
export async function recall(name) {
  try {
    return await request((await table('readonly')).get(name));
  } catch (error) {
    console.debug(error.message);
    return undefined;
  }
}

export async function keep(name, bytes) {
  try {
    await request((await table('readwrite')).put(bytes, name));
  } catch (error) {
    console.debug(error.message); // the next visit trains again
  }
}
