import './theme/tokens.css';
import './theme/base.css';
import './theme/theme.ts';
import { render } from 'preact';
import { App } from './app.tsx';

const element = document.getElementById('app');
if (element !== null) render(<App />, element);
