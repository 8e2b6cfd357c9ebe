/* Only browsers without modules run this: they cannot show the table. */
document.getElementById('app').innerHTML =
  '<p class="notice">This browser is too old for the table. A current Firefox, Chrome, Edge or Safari can show it; ' +
  'any program can still play through <a href="/docs">the REST API</a>.</p>';
