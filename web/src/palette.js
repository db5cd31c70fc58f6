// palette.js: colours of bodies and curves, apart from one another in light and in dark and for most kinds of colour vision.

export const BODY_COLORS = ['#3d74c4', '#e08a32', '#3fa277', '#c2506b', '#8264c2', '#2f9fb3', '#b0872f', '#7c8794'];
export const CURVE_COLORS = ['#3d74c4', '#e0762a', '#2f9d6e', '#c8415f', '#8a63d2', '#169cb5', '#b58a1b', '#d35fae'];

export const LIGHT = {
    background: '#f4f6f9', grid: '#dce1e8', gridStrong: '#c8cfd9', ink: '#26303d', pin: '#ffffff', metal: '#8b95a3', ground: '#566170',
    reaction: '#d3455b', force: '#2a9d5c', moment: '#8a5fd0', spring: '#5d6b7b', road: '#a9b2bf', axes: ['#c22f45', '#1d7d46', '#2767d2'],
};
export const DARK = {
    background: '#14181f', grid: '#262d38', gridStrong: '#343d4b', ink: '#d7dde6', pin: '#1b212a', metal: '#9aa6b5', ground: '#8d99a8',
    reaction: '#ff7085', force: '#4fd58c', moment: '#b596f5', spring: '#b4bfcc', road: '#4a5566', axes: ['#ff7085', '#4fd58c', '#6aa2ff'],
};
