import './theme/tokens.css';
import './theme/base.css';
import './theme/theme.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { language, loadFirstTexts } from './language/language.ts';

document.documentElement.lang = language;
const element = document.getElementById('app');
if (element !== null) loadFirstTexts().then(() => render(<App />, element));
