// three.js: the parts of the library that the page uses.
export {
    AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CatmullRomCurve3, CircleGeometry, Color, ConeGeometry,
    CylinderGeometry, DirectionalLight, DoubleSide, ExtrudeGeometry, Group, HemisphereLight, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh,
    MeshBasicMaterial, MeshStandardMaterial, OctahedronGeometry, OrthographicCamera, PerspectiveCamera, PlaneGeometry, Quaternion, Raycaster, RingGeometry,
    Scene, Shape, ShapeGeometry, SphereGeometry, TorusGeometry, TubeGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three';
export { Line2 } from 'three/examples/jsm/lines/Line2.js';
export { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
export { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
