import './theme/tokens.css';
import './theme/base.css';
import './theme/theme.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { language } from './language/language.ts';

document.documentElement.lang = language;
const element = document.getElementById('app');
if (element !== null) render(<App />, element);
