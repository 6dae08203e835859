// One's account: the copy button of a fresh key.

import { ready } from './fragment.js';

ready(document);
