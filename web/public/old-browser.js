/* Only browsers without modules run this: they are told at once, and shown the board as a picture. */
var plain = document.getElementById('plain');
var shownMatch = /^\/matches\/([0-9a-f-]{36})\/?$/.exec(location.pathname);
var board = document.createElement('img');
if (plain) plain.className = 'page narrow';
if (plain && shownMatch) {
  board.src = ['/v1/matches', shownMatch[1], 'board.png'].join('/');
  board.alt = 'The board of this match, if it is public';
  board.style.maxWidth = '100%';
  plain.appendChild(board);
}
